# mypy: ignore-errors
"""64-bit integer operations that return what Python returns, or stop: a pattern like rule_kernels.py.

Rules use these where interval analysis does not prove plain arithmetic safe (guarded_rules.py).
`guard` compiles a function for the CPU or the GPU; `fault` ends the run.
"""

from numba import njit as guard

from perfectplay.compiler.intrinsics import fault, wrapping_add, wrapping_lshift, wrapping_mult, wrapping_sub

# ---- below this line the text is the same for every game ----


@guard
def pp_add(a, b):
    """a + b."""
    c = wrapping_add(a, b)
    if (a ^ c) & (b ^ c) < 0:
        fault()
    return c


@guard
def pp_sub(a, b):
    """a - b."""
    c = wrapping_sub(a, b)
    if (a ^ b) & (a ^ c) < 0:
        fault()
    return c


@guard
def pp_mult(a, b):
    """a * b; for numbers of 31 bits, a look at their upper halves suffices."""
    c = wrapping_mult(a, b)
    if (wrapping_add(a, 2147483648) | wrapping_add(b, 2147483648)) >> 32 != 0 and a != 0:
        if a == -1:
            if b == -9223372036854775808:
                fault()
        elif c // a != b:
            fault()
    return c


@guard
def pp_lshift(a, b):
    """a << b."""
    if a == 0 and b >= 0:
        return 0
    if b < 0 or b > 63:
        fault()
        return 0
    c = wrapping_lshift(a, b)
    if c >> b != a:
        fault()
    return c


@guard
def pp_wrapping_lshift(a, b):
    """a << b, where only the low bits matter."""
    if b < 0:
        fault()
        return 0
    return wrapping_lshift(a, b) if b < 64 else 0


@guard
def pp_rshift(a, b):
    """a >> b."""
    if b < 0:
        fault()
        return 0
    return a >> min(b, 63)


@guard
def pp_floordiv(a, b):
    """a // b."""
    if b == 0 or (b == -1 and a == -9223372036854775808):
        fault()
        return 0
    return a // b


@guard
def pp_mod(a, b):
    """a % b."""
    if b == 0:
        fault()
        return 0
    return 0 if b == -1 else a % b


@guard
def pp_pow(a, b):
    """a ** b."""
    if b < 0:
        fault()
        return 0
    if a == 0 or a == 1:
        return 1 if b == 0 else a
    if a == -1:
        return -1 if b & 1 else 1
    c = 1
    for _ in range(min(b, 64)):
        c = pp_mult(c, a)
    return c


@guard
def pp_usub(a):
    """-a."""
    if a == -9223372036854775808:
        fault()
    return -a


@guard
def pp_abs(a):
    """The absolute value of a number that has one."""
    return pp_usub(a) if a < 0 else a


@guard
def pp_unsigned(a):
    """The absolute value, for counting bits: that of the least number is itself, as a word."""
    return wrapping_sub(0, a) if a < 0 else a


@guard
def pp_index(at, size):
    """The index of an element in a tuple of that size."""
    if at < -size or at >= size:
        fault()
        return 0
    return at


@guard
def pp_end(a):
    """The end of a range; stops beyond 2**62, near where counting would wrap around."""
    if a < -4611686018427387904 or a > 4611686018427387904:
        fault()
        return 0
    return a


@guard
def pp_step(a):
    """The step of a range."""
    if a == 0:
        fault()
        return 1
    return pp_end(a)

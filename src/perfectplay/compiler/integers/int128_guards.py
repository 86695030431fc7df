# mypy: ignore-errors
"""The operations of int64_guards.py on words of 128 bits, and what numba has only for its own integers.

Each takes words, other integers, or one of both.
"""

from numba import njit as guard

from perfectplay.compiler.integers.wide_words import narrow, wide, width
from perfectplay.compiler.intrinsics import fault

# ---- below this line the text is the same for every game ----


@guard
def wrapping_add(a, b):
    """a + b, where only the low bits matter."""
    return wide(a) + b


@guard
def wrapping_sub(a, b):
    """a - b, where only the low bits matter."""
    return wide(a) - b


@guard
def wrapping_mult(a, b):
    """a * b, where only the low bits matter."""
    return wide(a) * b


@guard
def wrapping_lshift(a, b):
    """a << b for b of at most 127, where only the low bits matter."""
    return wide(a) << b


@guard
def pp_add(a, b):
    """a + b."""
    c = wide(a) + b
    if (a ^ c) & (b ^ c) < 0:
        fault()
    return c


@guard
def pp_sub(a, b):
    """a - b."""
    c = wide(a) - b
    if (wide(a) ^ b) & (a ^ c) < 0:
        fault()
    return c


@guard
def pp_unsigned(a):
    """The absolute value, for counting bits: that of the least number is itself, as a word."""
    return -wide(a) if a < 0 else wide(a)


@guard
def pp_mult(a, b):
    """a * b."""
    if width(pp_unsigned(a)) + width(pp_unsigned(b)) > 127:
        fault()
    return wide(a) * b


@guard
def pp_lshift(a, b):
    """a << b."""
    if a == 0 and b >= 0:
        return wide(0)
    if b < 0 or b > 127:
        fault()
        return wide(0)
    c = wide(a) << b
    if c >> b != a:
        fault()
    return c


@guard
def pp_wrapping_lshift(a, b):
    """a << b, where only the low bits matter."""
    if b < 0:
        fault()
        return wide(0)
    return wide(a) << b if b < 128 else wide(0)


@guard
def pp_rshift(a, b):
    """a >> b."""
    if b < 0:
        fault()
        return wide(0)
    return wide(a) >> b if b < 128 else wide(a) >> 127


@guard
def pp_quotient(a, b):
    """a // b of numbers that are not negative, b not 0: bit by bit if one does not fit 63 bits."""
    if (a | b) >> 63 == 0:
        return wide(narrow(a) // narrow(b))
    if b >> 126 != 0:
        return wide(1) if a >= b else wide(0)
    found, rest = wide(0), wide(0)
    for i in range(width(a) - 1, -1, -1):
        rest = rest << 1 | a >> i & 1
        if rest >= b:
            rest -= b
            found |= wide(1) << i
    return found


@guard
def pp_floordiv(a, b):
    """a // b."""
    x, y = pp_unsigned(a), pp_unsigned(b)
    if y <= 0 or x < 0:
        fault()
        return wide(0)
    found = pp_quotient(x, y)
    if (a < 0) == (b < 0):
        return found
    return -found if found * y == x else -found - 1


@guard
def pp_mod(a, b):
    """a % b."""
    return a - pp_floordiv(a, b) * b


@guard
def pp_pow(a, b):
    """a ** b."""
    if b < 0:
        fault()
        return wide(0)
    if a == 0 or a == 1:
        return wide(1) if b == 0 else wide(a)
    if a == -1:
        return wide(-1) if b & 1 else wide(1)
    c = wide(1)
    for _ in range(128 if b > 128 else narrow(b)):
        c = pp_mult(c, a)
    return c


@guard
def pp_usub(a):
    """-a."""
    c = -wide(a)
    if a < 0 and c < 0:
        fault()
    return c


@guard
def pp_abs(a):
    """The absolute value of a number that has one."""
    return pp_usub(a) if a < 0 else wide(a)


@guard
def pp_min(a, b):
    """The lesser of two numbers."""
    return a if a < b else b


@guard
def pp_max(a, b):
    """The greater of two numbers."""
    return a if a > b else b


@guard
def pp_in(a, numbers):
    """Whether a number is among others."""
    found = 0
    for number in numbers:
        if a == number:
            found = 1
    return found != 0


@guard
def pp_index(at, size):
    """The index of an element in a tuple of that size."""
    if at < -size or at >= size:
        fault()
        return 0
    return narrow(at)


@guard
def pp_end(a):
    """The end of a range; stops beyond 2**62, near where counting would wrap around."""
    if a < -4611686018427387904 or a > 4611686018427387904:
        fault()
        return 0
    return narrow(a)


@guard
def pp_step(a):
    """The step of a range."""
    if a == 0:
        fault()
        return 1
    return pp_end(a)

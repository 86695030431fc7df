# mypy: ignore-errors
"""What guarded rules need on a GPU or its simulator: ending the run, bit lengths, wrapping arithmetic."""

from llvmlite import ir
from numba import config, cuda
from numba.core import types
from numba.extending import intrinsic

if config.ENABLE_CUDASIM:

    def fault():
        """Ends the run: the rules exceed 64-bit integers."""
        raise OverflowError

    def width(word):
        """The bit length of a word."""
        return int(word).bit_length()

    def wrapped(number):
        """The number as a signed 64-bit word."""
        return (int(number) + (1 << 63)) % (1 << 64) - (1 << 63)

    def wrapping_add(a, b):
        """a + b, wrapping around."""
        return wrapped(int(a) + int(b))

    def wrapping_sub(a, b):
        """a - b, wrapping around."""
        return wrapped(int(a) - int(b))

    def wrapping_mult(a, b):
        """a * b, wrapping around."""
        return wrapped(int(a) * int(b))

    def wrapping_lshift(a, b):
        """a << b, wrapping around."""
        return wrapped(int(a) << int(b))

else:
    from perfectplay.compiler.intrinsics import wrapping_add, wrapping_lshift, wrapping_mult, wrapping_sub  # noqa: F401

    @intrinsic
    def trap(context):
        """Stops the GPU; the next synchronising call raises an error."""

        def generate(context, builder, signature, arguments):
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.trap", (), kind), [])
            return context.get_dummy_value()

        return types.void(), generate

    @cuda.jit(device=True)
    def fault():
        """Ends the run: the rules exceed 64-bit integers."""
        trap()
        return 0

    @cuda.jit(device=True)
    def width(word):
        """The bit length of a word."""
        return 64 - cuda.clz(word)

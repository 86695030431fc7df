# mypy: ignore-errors
"""What guarded rules need on a GPU: the end of a run, since there are no exceptions, and the length of a word."""

from llvmlite import ir
from numba import config, cuda
from numba.core import types
from numba.extending import intrinsic

if config.ENABLE_CUDASIM:

    def fault():
        """Ends the run: the rules do what words of 64 bits cannot."""
        raise OverflowError

    def width(word):
        """How many bits a word takes."""
        return int(word).bit_length()

else:

    @intrinsic
    def trap(context):
        """Stops the GPU; the next call that waits for it gets an error."""

        def generate(context, builder, signature, arguments):
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.trap", (), kind), [])
            return context.get_dummy_value()

        return types.void(), generate

    @cuda.jit(device=True)
    def fault():
        """Ends the run: the rules do what words of 64 bits cannot."""
        trap()
        return 0

    @cuda.jit(device=True)
    def width(word):
        """How many bits a word takes."""
        return 64 - cuda.clz(word)

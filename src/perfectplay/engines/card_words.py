# mypy: ignore-errors
"""What the rules and loops on a card use beside their own functions."""

from llvmlite import ir
from numba import config, cuda
from numba.core import cgutils, types
from numba.extending import intrinsic


@cuda.jit(device=True)
def ones(word):
    """How many bits of a word are set."""
    return cuda.popc(word)


@cuda.jit(device=True)
def lowest(word):
    """The number of the lowest set bit of a word that is not 0."""
    return cuda.ffs(word) - 1


def listed(numbers):
    """A function that gives the number at a place, or counted from the end, the number at a negative place.

    A tuple would become a chain of questions on a card, and an array go to its memory for constants, which serves
    threads that ask for different places one after another. In general memory, as narrow as can be, one line of the
    cache serves them all: the walk through fading:6,3 takes a third of the time.
    """
    if config.ENABLE_CUDASIM:
        return numbers.__getitem__
    width = next(bits for bits in (8, 16, 32, 64) if all(-1 << bits - 1 <= number < 1 << bits - 1 for number in numbers))

    @intrinsic
    def look(context, place):
        def generate(context, builder, signature, arguments):
            values = ir.Constant(ir.ArrayType(ir.IntType(width), len(numbers)), list(numbers))
            name = builder.module.get_unique_name("listed")
            table = ir.GlobalVariable(builder.module, values.type, name, addrspace=1)
            table.initializer, table.linkage, table.global_constant = values, "internal", True
            at = context.cast(builder, arguments[0], signature.args[0], types.int64)
            from_end = builder.add(at, ir.Constant(at.type, len(numbers)))
            at = builder.select(builder.icmp_signed("<", at, ir.Constant(at.type, 0)), from_end, at)
            value = builder.load(cgutils.gep(builder, table, 0, at))
            return builder.sext(value, ir.IntType(64)) if width < 64 else value

        return types.int64(place), generate

    return look

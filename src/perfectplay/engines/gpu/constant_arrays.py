# mypy: ignore-errors
"""Numbers that rules look up, on a GPU."""

from llvmlite import ir
from numba import config
from numba.core import cgutils, types
from numba.extending import intrinsic

NOWHERE = -(1 << 62)
"""What stands where there is nothing: no word, key, outcome or set of moves that the loops would let pass."""


def listed(numbers):
    """A function that gives the number at a place, or counted from the end, the number at a negative place.

    A tuple would become a chain of questions on a GPU, and an array go to its memory for constants, which serves
    threads that ask for different places one after another. In general memory, as narrow as can be, one line of the
    cache serves them all: the walk through fading:6,3 takes a quarter of the time.
    """
    if config.ENABLE_CUDASIM:
        return numbers.__getitem__
    longest = max(number.bit_length() for number in numbers)
    width = next(bits for bits in (8, 16, 32, 64) if longest < bits)

    @intrinsic
    def look(context, place):
        def generate(context, builder, signature, arguments):
            values = ir.Constant(ir.ArrayType(ir.IntType(width), len(numbers)), list(numbers))
            name = builder.module.get_unique_name("listed")
            table = ir.GlobalVariable(builder.module, values.type, name, addrspace=1)
            table.initializer, table.linkage, table.global_constant = values, "internal", True
            at = context.cast(builder, arguments[0], signature.args[0], types.int64)
            zero, size = ir.Constant(at.type, 0), ir.Constant(at.type, len(numbers))
            at = builder.select(builder.icmp_signed("<", at, zero), builder.add(at, size), at)
            there = builder.icmp_unsigned("<", at, size)
            value = builder.load(cgutils.gep(builder, table, 0, builder.select(there, at, zero)))
            value = builder.sext(value, ir.IntType(64)) if width < 64 else value
            return builder.select(there, value, ir.Constant(ir.IntType(64), NOWHERE))

        return types.int64(place), generate

    return look

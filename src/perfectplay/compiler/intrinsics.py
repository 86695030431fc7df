"""Machine instructions that numba has no name for."""

from typing import Any

from llvmlite import ir

from perfectplay.compiler.numba_compat import intrinsic, njit, types


@intrinsic
def ones(typing: Any, word: Any) -> Any:
    """The number of set bits in a 64-bit word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest(typing: Any, word: Any) -> Any:
    """The index of the lowest set bit in a nonzero 64-bit word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def fetch(typing: Any, array: Any, at: Any) -> Any:
    """Prefetches array[at] of a one-dimensional array into the cache."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], kind)
        builder.call(prefetch, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


@intrinsic
def swap_if(typing: Any, array: Any, at: Any, old: Any, new: Any) -> Any:
    """Sets array[at] to `new` if it is `old`, as one step that no other thread sees half done; returns what it was."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.gep(data, [arguments[1]])
        pair = builder.cmpxchg(place, arguments[2], arguments[3], "acq_rel", "acquire")
        return builder.extract_value(pair, 0)

    return array.dtype(array, types.int64, array.dtype, array.dtype), generate


@intrinsic
def swap(typing: Any, array: Any, at: Any, new: Any) -> Any:
    """Sets array[at] to `new`, as one step; returns what it was."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.atomic_rmw("xchg", builder.gep(data, [arguments[1]]), arguments[2], "acq_rel")

    return array.dtype(array, types.int64, array.dtype), generate


@intrinsic
def width(typing: Any, word: Any) -> Any:
    """The bit length of a 64-bit word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 64), zeros)

    return types.int64(types.int64), generate


@intrinsic
def call_compress(typing: Any, function: Any, out: Any, length: Any, text: Any, size: Any, level: Any) -> Any:
    """Calls zlib's `compress2` at the address `function`, as table/block_compression.py says; 0 if all went well."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, number = ir.IntType(64), ir.IntType(32)
        kind = ir.FunctionType(number, [word, word, word, word, number])
        address, *words, last = arguments
        pointer = builder.inttoptr(address, kind.as_pointer())
        return builder.sext(builder.call(pointer, [*words, builder.trunc(last, number)]), word)

    return types.int64(*[types.int64] * 6), generate


def wrapping(instruction: str) -> Any:
    """An operation on words that wraps around; overflow in numba's own is undefined."""

    @intrinsic
    def operation(typing: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments)

        return types.int64(types.int64, types.int64), generate

    return operation


wrapping_add, wrapping_sub, wrapping_mult = wrapping("add"), wrapping("sub"), wrapping("mul")
wrapping_lshift = wrapping("shl")
"""a << b, for b of at most 63."""


@njit
def fault(always: bool = True) -> int:
    """Ends the run: the rules exceed 64-bit integers."""
    if always:
        raise OverflowError
    return 0

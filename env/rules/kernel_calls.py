"""How kernel functions call each other, the small arrays they work in, and an instruction that Python lacks.

Numba's own convention hands results back through memory, beside a status that every caller tests, because a compiled
function may raise. Kernel functions raise nothing (an error is `m.fault`), so here a function simply returns its value.
What Numba's helpers might still raise, such as a lack of memory, stops the process.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.callconv import RETCODE_OK, CPUCallConv
from numba.core.cpu import CPUContext
from numba.extending import intrinsic
from numba.np import arrayobj


class PlainCalls(CPUCallConv):
    """Functions that return their value and cannot fail."""

    def get_function_type(self, restype: Any, argtypes: Any) -> Any:
        """Returns the type of a function: its arguments and result, nothing else."""
        arguments = list(self._get_arg_packer(argtypes).argument_types)
        return ir.FunctionType(self.get_return_type(restype).pointee, arguments)

    def decorate_function(self, fn: Any, args: Any, fe_argtypes: Any, noalias: bool = False) -> None:
        """Names the arguments of a function."""
        self._get_arg_packer(fe_argtypes).assign_names(self.get_arguments(fn), [f"arg.{name}" for name in args])

    def get_arguments(self, func: Any) -> Any:
        """Returns the arguments of a function."""
        return func.args

    def return_value(self, builder: Any, retval: Any) -> None:
        """Returns a value."""
        builder.ret(retval)

    def return_native_none(self, builder: Any) -> None:
        """Returns from a function without a value."""
        builder.ret(ir.Constant(builder.function.function_type.return_type, None))

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Stops the process where Numba would hand on what a callee raised."""
        self._return_errcode_raw(builder, status.code)

    def return_user_exc(self, builder: Any, *_: Any, **__: Any) -> None:
        """Stops the process where Numba would raise."""
        self._return_errcode_raw(builder, None)

    def set_static_user_exc(self, builder: Any, *_: Any, **__: Any) -> None:
        """Leaves out the description of what would be raised."""

    def _return_errcode_raw(self, builder: Any, code: Any) -> None:
        trap = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), ()), "llvm.trap")
        builder.call(trap, ())
        builder.unreachable()

    def call_function(self, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any, attrs: Any = None) -> Any:
        """Calls a function; its status is known to be good."""
        arguments = list(self._get_arg_packer(argtys).as_arguments(builder, args))
        result = builder.call(callee, arguments, attrs=tuple(attrs or ()))
        excinfo = ir.Constant(self._excinfo_type(), None)
        status = self._get_return_status(builder, RETCODE_OK, excinfo)
        return status, self.context.get_returned_value(builder, resty, result)

    def _excinfo_type(self) -> Any:
        return super().get_function_type(types.none, ()).args[1].pointee


def plain_index(context: Any, builder: Any, idxty: Any, idx: Any, size: Any) -> Any:
    """Takes an index as it is: the kernel has no negative ones that count from the end (`shadow` raises on them)."""
    return context.cast(builder, idx, idxty, types.intp)


def use_plain_calls() -> None:
    """Makes Numba use plain calls and indices for whatever this process lowers from now on."""
    context: Any = CPUContext
    context.call_conv = property(PlainCalls)
    arrayobj.fix_integer_index = plain_index


@intrinsic(prefer_literal=True)
def local_array(typingctx: Any, size: Any) -> Any:
    """Gives a function an int64 array of a constant size of zeros that lives as long as its call."""
    if not isinstance(size, types.IntegerLiteral):
        return None
    count = size.literal_value
    array = types.Array(types.int64, 1, "C")

    def make(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = context.get_constant(types.intp, count)
        data = cgutils.alloca_once(builder, ir.IntType(64), size=number)
        cgutils.memset(builder, data, context.get_constant(types.intp, 8 * count), 0)
        made = arrayobj.make_array(array)(context, builder)
        arrayobj.populate_array(
            made,
            data=data,
            shape=[number],
            strides=[context.get_constant(types.intp, 8)],
            itemsize=context.get_constant(types.intp, 8),
            meminfo=None,
        )
        return made._getvalue()

    return array(size), make


@intrinsic
def lowest_bit(typingctx: Any, word: Any) -> Any:
    """Gives the number of the lowest bit that is set in a word other than 0."""

    def count(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), count

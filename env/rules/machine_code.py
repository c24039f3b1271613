"""The machine code of the kernel as one object file: how it is made from Numba's parts and how it is loaded.

Numba would optimise and assemble every function with everything below it, again and again on each level of calls, and
every door with the whole kernel. Here it only types and lowers each function; all of them are then linked, optimised
and assembled once. That takes about half the time, lets the optimiser see the whole kernel, and gives one file in
which all doors share their code. Loading needs neither the types nor the lowering rules of Numba.

This module is the only one that knows Numba's inner workings; constraints.txt names the version it was tested with.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Container, Iterable
from types import SimpleNamespace
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.dispatcher import Dispatcher
from numba.core.environment import Environment, lookup_environment
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.types import Number

KERNEL_NAME = "apotheosis_kernel"


def target() -> Any:
    """Returns Numba's context for this processor, which is made on the first request."""
    return cpu_target.target_context


class Part(JITCodeLibrary):
    """One lowered function that waits to be linked: neither optimised nor assembled."""

    collected: list[Part] = []

    def finalize(self) -> None:
        """Closes the part and keeps it for linking."""
        self._raise_if_finalized()
        self._finalized = True
        Part.collected.append(self)

    def add_llvm_module(self, ll_module: Any) -> None:
        """Takes over lowered code as it is."""
        self._final_module.link_in(ll_module)

    def get_pointer_to_function(self, name: str) -> int:
        """Returns the null pointer, since there is no machine code yet."""
        self._ensure_finalized()
        return 0


def begin_collecting() -> None:
    """Makes Numba keep lowered functions as parts; this process can run no compiled function afterwards."""
    target().refresh()
    codegen = target().codegen()
    codegen._library_class = Part
    codegen.set_env = lambda name, environment: None


def lower(function: Callable, signature: Any, options: dict[str, Any], is_door: bool) -> Dispatcher:
    """Types and lowers one function.

    Args:
        function: the plain function; its callees have been lowered before.
        signature: its Numba signature or the text of it.
        options: compiler options.
        is_door: whether Python will call it.
    """
    settings = {**options, "no_cpython_wrapper": not is_door, "no_cfunc_wrapper": True}
    return numba.jit(signature, **settings)(function)


def assemble(doors: Iterable[Dispatcher], apart: Iterable[Dispatcher] = ()) -> bytes:
    """Links, optimises and assembles everything collected.

    Args:
        doors: the lowered functions that Python will call.
        apart: lowered functions that must not be merged into their callers.

    Returns:
        The pickled machine code with what is needed to call the doors.

    Raises:
        RuntimeError: a function is called but was never lowered, or a constant refers to this process's memory.
    """
    codegen = target().codegen()
    del codegen.set_env
    codegen._library_class = JITCodeLibrary
    library = codegen.create_library(KERNEL_NAME)
    library.enable_object_caching()
    results = {door_name(door.py_func): result for door in doors for result in door.overloads.values()}
    wrappers = sorted(result.fndesc.llvm_cpython_wrapper_name for result in results.values())
    symbols = {
        result.fndesc.llvm_func_name: door_name(function.py_func)
        for function in apart
        for result in function.overloads.values()
    }
    link(library._final_module, wrappers, symbols)
    library._optimize_final_module()
    library._final_module.verify()
    library._finalize_final_module()
    if library.has_dynamic_globals:
        raise RuntimeError("a kernel function uses a global array that is too large to be a constant")
    for result in results.values():  # these two lead to the types of the whole kernel, and only typing needs them
        result.fndesc.typemap = result.fndesc.calltypes = None
    return dumps(
        {
            "object": library._get_compiled_object(),
            "wrappers": wrappers,
            "symbols": symbols,
            "initialisers": [start for part in Part.collected for start in part._reload_init],
            "environments": environments_with_constants(library._final_module),
            "doors": {name: (result.fndesc, result.environment, result.signature) for name, result in results.items()},
        }
    )


def link(module: Any, wrappers: list[str], apart: Container[str]) -> None:
    """Links all parts into one module in which only the doors' wrappers are visible from outside.

    Args:
        module: the empty module that takes the parts over.
        wrappers: the names that stay visible; whatever they do not reach is dropped by the optimiser.
        apart: names of functions that must not be merged into their callers.
    """
    helpers = {id(helper): helper for part in Part.collected for helper in part._linking_libraries}
    for helper in helpers.values():
        if not isinstance(helper, Part):
            module.link_in(helper._get_module_for_linking(), preserve=True)
    for part in Part.collected:
        module.link_in(part._final_module)
    for function in module.functions:
        if function.is_declaration and function.name.startswith("_ZN"):
            raise RuntimeError(f"{function.name} is called but was not compiled")
        if not function.is_declaration and function.name not in wrappers:
            function.linkage = "internal"
        if function.name in apart:
            function.add_function_attribute("noinline")


def environments_with_constants(module: Any) -> list[Environment]:
    """Returns the environments that hold Python objects which the module's code refers to."""
    found = []
    for variable in module.global_variables:
        environment = lookup_environment(variable.name)
        if environment is not None and environment.consts:
            found.append(environment)
    return found


def door_name(function: Callable) -> str:
    """Returns the name of a door inside the file: its module and its own."""
    return f"{function.__module__}.{function.__qualname__}"


class LoadedKernel:
    """Machine code that has been loaded into this process.

    Args:
        data: what `assemble` returned.

    Attributes:
        object_code: the object file.
        symbols: names of the functions that were kept apart, by their symbol in the object file.
        anchor: one symbol of the object file and the address where it was loaded.
    """

    def __init__(self, data: bytes):
        rtsys.initialize(target())
        stored = pickle.loads(data)
        for start in stored["initialisers"]:
            start()
        codegen = target().codegen()
        library = codegen.create_library(KERNEL_NAME)
        library.enable_object_caching()
        library._set_compiled_object(stored["object"])
        library._finalize_final_module()
        codegen._engine._defined_symbols.update(stored["wrappers"])
        for environment in stored["environments"]:
            codegen.set_env(environment.env_name, environment)
        self.library = library
        self.doors = stored["doors"]
        self.object_code: bytes = stored["object"]
        self.symbols: dict[str, str] = stored["symbols"]
        self.anchor = stored["wrappers"][0], codegen._engine.get_function_address(stored["wrappers"][0])

    def overload(self, name: str) -> Any:
        """Returns a door's signature and callable in the form that dispatchers register.

        Args:
            name: the door's name as `door_name` gives it.
        """
        description, environment, signature = self.doors[name]
        entry_point = target().get_executable(self.library, description, environment)
        return SimpleNamespace(
            signature=signature, entry_point=entry_point, objectmode=False, fndesc=description, library=self.library
        )


class Door(CPUDispatcher):
    """A kernel function that Python calls; it gets its machine code on its first call.

    Args:
        function: the plain function, kept as `py_func`.
        options: compiler options.
        kernel: called without arguments, returns the loaded kernel.
    """

    def __init__(self, function: Callable, options: dict[str, Any], kernel: Callable[[], LoadedKernel]):
        super().__init__(function, {}, {"nopython": True, **options})
        self.kernel = kernel

    def load(self) -> None:
        """Registers the door's machine code, unless that has been done."""
        if not self.overloads:
            self.add_overload(self.kernel().overload(door_name(self.py_func)))
            self.disable_compile()

    def _compile_for_args(self, *arguments: Any, **names: Any) -> Any:
        """Returns the machine code for a first call; Numba asks for it while no overload fits the arguments.

        Raises:
            TypeError: the arguments are not what the door takes.
        """
        self.load()
        ((types, overload),) = self.overloads.items()
        given = tuple(self.typeof_pyval(argument) for argument in arguments)
        for mine, yours in zip(types, given):
            if mine != yours and not (isinstance(mine, Number) and isinstance(yours, Number)):
                raise TypeError(f"{self.__name__} takes {types}, not {given}")
        return overload.entry_point

    def __reduce__(self) -> str:
        """Pickles the door as the name of a global, so that every process loads its own."""
        return self.py_func.__qualname__

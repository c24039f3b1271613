"""How kernel functions become machine code: lowered one by one, then linked, optimised and assembled once.

Numba would optimise and assemble every function with everything below it, again and again on each level of calls, and
every door with the whole kernel. Here it only types and lowers each function. Linking them at the end saves all that,
lets the optimiser see the whole kernel, and gives one object file in which all doors share their code. Lowered functions
are kept between builds (module `kernel_parts`).
"""

from __future__ import annotations

import itertools
import pickle
import secrets
import zlib
from collections.abc import Callable, Container, Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.dispatcher import Dispatcher
from numba.core.environment import Environment, lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.core.typing.templates import signature as make_signature

from apotheosis.env.rules import kernel_weights
from apotheosis.env.rules.kernel_calls import use_plain_calls
from apotheosis.env.rules.kernel_parts import PartStore, stable_name
from apotheosis.env.rules.machine_code import KERNEL_NAME, processor, target, without_types


class Part(JITCodeLibrary):
    """Lowered code that waits to be linked: a kernel function, or a helper of Numba's that some function needs."""

    collected: list[Part] = []
    is_kernel = False

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

    def helpers(self) -> Iterator[Any]:
        """Yields every library that this part needs beside kernel functions, itself left out."""
        for library in self._linking_libraries:
            if not isinstance(library, Part):
                yield library
            elif not library.is_kernel:
                yield library
                yield from library.helpers()


def begin_collecting(checked: bool) -> None:
    """Makes Numba keep lowered functions as parts; this process can run no compiled function afterwards.

    Args:
        checked: whether indices are checked; functions then need Numba's calls, which can raise.
    """
    target().refresh()
    if not checked:
        use_plain_calls()
    codegen = target().codegen()
    codegen._library_class = Part
    codegen.set_env = lambda name, environment: None


def lower(
    function: Callable, signature: Any, options: dict[str, Any], is_door: bool, store: PartStore
) -> tuple[Dispatcher, bool]:
    """Types and lowers one function, or takes it from the store.

    Args:
        function: the plain function; its callees have been lowered before.
        signature: its Numba signature or the text of it.
        options: compiler options.
        is_door: whether Python will call it.
        store: where lowered functions are kept.

    Returns:
        The function as its callers find it, and whether it was lowered anew.
    """
    settings = {**options, "no_cpython_wrapper": not is_door, "no_cfunc_wrapper": True}
    key = store.key(function, signature, is_door)
    kept = None if key is None else store.read(key)
    if kept is not None:
        return restored(function, signature, settings, kept), False
    identity: Any = FunctionIdentity
    identity._unique_ids = numbers_for(function, key)
    dispatcher = numba.jit(signature, **settings)(function)
    results = list(dispatcher.overloads.values())  # one, or more where a function calls itself with other types
    for result in results:
        result.library.is_kernel = True
    packed = pack(results[0]) if len(results) == 1 else None
    if key is not None and packed is not None:
        store.write(key, packed)
    return dispatcher, True


def numbers_for(function: Callable, key: str | None) -> Iterator[int]:
    """Returns the numbers that Numba puts into symbols while it lowers a function.

    The function's own number follows from its name, so that callers which were lowered in an earlier build still find
    it. The numbers of the helpers that Numba makes on the way follow from the key, so that equal symbols mean equal code.
    """
    own = zlib.crc32(stable_name(function).encode())
    return itertools.chain([own], itertools.count(secrets.randbits(60) if key is None else int(key[:15], 16)))


def pack(result: Any) -> bytes | None:
    """Returns a lowered function for the store, or None where it refers to this process."""
    helpers = {id(helper): helper for helper in result.library.helpers() if isinstance(helper, Part)}
    parts = [result.library, *helpers.values()]
    natives = {id(helper) for part in parts for helper in part.helpers() if not isinstance(helper, Part)}
    if natives - {id(rtsys.library)} or any(environments_with_constants(part._final_module) for part in parts):
        return None
    return dumps(
        {
            "codes": [(part.name, part._final_module.as_bitcode()) for part in parts],
            "native": bool(natives),
            "initialisers": [start for part in parts for start in part._reload_init],
            "description": without_types(result.fndesc),
        }
    )


def restored(function: Callable, signature: Any, settings: dict[str, Any], kept: bytes) -> Dispatcher:
    """Makes a lowered function from what the store kept, ready to be called by functions that are lowered later.

    Args:
        function: the plain function.
        signature: its Numba signature or the text of it.
        settings: options of the dispatcher.
        kept: what `pack` returned.
    """
    stored = pickle.loads(kept)
    codegen = target().codegen()
    own, *helpers = (restored_part(codegen, name, code) for name, code in stored["codes"])
    own.is_kernel = True
    own._linking_libraries += helpers
    own._linking_libraries += [rtsys.library] if stored["native"] else []
    own._reload_init.update(stored["initialisers"])
    arguments, result = normalize_signature(signature)
    description = stored["description"]
    description.argtypes, description.restype = arguments, result
    environment = Environment.from_fndesc(description)
    entry_point = target().get_executable(own, description, environment)
    target().insert_user_function(entry_point, description, [own])
    dispatcher = CPUDispatcher(function, {}, {"nopython": True, **settings})
    overload: Any = SimpleNamespace(
        signature=make_signature(result, *arguments),
        entry_point=entry_point,
        objectmode=False,
        fndesc=description,
        library=own,
        environment=environment,
    )
    dispatcher.add_overload(overload)
    dispatcher.disable_compile()
    return dispatcher


def restored_part(codegen: Any, name: str, code: bytes) -> Part:
    """Makes a part from its bitcode."""
    part = Part(codegen, name)
    part._final_module = llvm.parse_bitcode(code)
    part.finalize()
    return part


def assemble(
    doors: Iterable[Dispatcher], inner: Iterable[Dispatcher], apart: bool = False, counting: bool = False
) -> tuple[bytes, int]:
    """Links, optimises and assembles everything collected.

    Args:
        doors: the lowered functions that Python will call.
        inner: the other lowered functions.
        apart: whether those must not be merged into their callers.
        counting: whether calls and branches are counted (see `kernel_weights`).

    Returns:
        The pickled machine code with what is needed to call the doors, and the number of functions whose branches were
        weighed.

    Raises:
        RuntimeError: a function is called but was never lowered, or a constant refers to this process's memory.
    """
    codegen = target().codegen()
    del codegen.set_env
    codegen._library_class = JITCodeLibrary
    module = codegen.create_library(KERNEL_NAME)._final_module
    results = {stable_name(door.py_func): result for door in doors for result in door.overloads.values()}
    wrappers = sorted(result.fndesc.llvm_cpython_wrapper_name for result in results.values())
    symbols = {
        result.fndesc.llvm_func_name: stable_name(function.py_func)
        for function in inner
        for result in function.overloads.values()
    }
    link(module, symbols if apart else ())
    names = {symbol: name.partition(".rules.")[2] for symbol, name in symbols.items()}
    places, weighed = [], 0
    if counting:
        module, places = kernel_weights.count_branches(module, names)
    elif not apart:  # a profile needs all functions side by side in one section
        module, weighed = kernel_weights.weigh(module, names, kernel_weights.read_weights())
    machine = processor()
    optimise(module, machine, wrappers)
    module.verify()
    if any(variable.name.startswith("numba.dynamic.globals") for variable in module.global_variables):
        raise RuntimeError("a kernel function uses a global array that is too large to be a constant")
    code = dumps(
        {
            "object": machine.emit_object(module),
            "wrappers": wrappers,
            "symbols": symbols,
            "places": places,
            "initialisers": [start for part in Part.collected for start in part._reload_init],
            "environments": environments_with_constants(module),
            "doors": {name: (without_types(result.fndesc), result.environment) for name, result in results.items()},
        }
    )
    return code, weighed


def optimise(module: Any, machine: Any, wrappers: list[str]) -> None:
    """Optimises the linked kernel; reference counts that cancel out are dropped on the way, as Numba does it.

    Loops are neither vectorised nor unrolled: nearly all of them are short, and code that fits the caches is faster. For the
    same reason kernel functions are hidden at the end only: a hidden function with one caller is merged into it whatever its
    size, and what is rarely needed then burdens what is always run.

    Args:
        module: the kernel. machine: what it will run on.
        wrappers: the names that stay visible; whatever they do not reach is dropped.
    """
    for level in (0, 3):
        tuning = llvm.create_pipeline_tuning_options(level)
        tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_unrolling = False
        builder = llvm.create_pass_builder(machine, tuning)
        passes = builder.getModulePassManager()
        passes.add_refprune_pass()
        passes.run(module, builder)
    for function in module.functions:
        if not function.is_declaration and function.name not in wrappers:
            function.linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, builder)


def link(module: Any, apart: Container[str]) -> None:
    """Links all parts into one module.

    Args:
        module: the empty module that takes the parts over.
        apart: names of functions that must not be merged into their callers.
    """
    natives = {id(helper): helper for part in Part.collected for helper in part.helpers()}
    for helper in natives.values():
        if not isinstance(helper, Part):
            module.link_in(helper._get_module_for_linking(), preserve=True)
    for part in Part.collected:
        if not part.is_kernel:  # two kept functions may bring the same helper
            for function in part._final_module.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "weak_odr"
        module.link_in(part._final_module)
    resolve_recursion(module)
    for function in module.functions:
        if function.is_declaration and function.name.startswith("_ZN"):
            raise RuntimeError(f"{function.name} is called but was not compiled")
        if not function.is_declaration and function.linkage != llvm.Linkage.external:
            function.linkage = "internal"
        if function.name in apart:
            function.add_function_attribute("noinline")


def resolve_recursion(module: Any) -> None:
    """Gives the pointers through which recursive functions call themselves their values.

    Numba fills them in its own running process, which knows nothing of an object file that is loaded later.
    """
    prefix = RuntimeLinker.PREFIX
    called = [name[len(prefix) :] for name in (v.name for v in module.global_variables) if name.startswith(prefix)]
    lines = [f'@"{prefix}{name}" = constant ptr @"{name}"\ndeclare void @"{name}"()' for name in called]
    module.link_in(llvm.parse_assembly("\n".join(lines)))
    for variable in module.global_variables:
        if variable.name.startswith(prefix):
            variable.linkage = "internal"


def environments_with_constants(module: Any) -> list[Environment]:
    """Returns the environments that hold Python objects which the module's code refers to."""
    found = []
    for variable in module.global_variables:
        environment = lookup_environment(variable.name)
        if environment is not None and environment.consts:
            found.append(environment)
    return found

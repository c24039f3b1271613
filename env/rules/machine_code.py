"""The machine code of the kernel in a running process: how it is loaded and how Python calls it.

Numba's own way to load a compiled function sets up the types and lowering rules of the whole language first, which takes
half a second. Here the object file goes straight to LLVM's loader, and a door gets its one signature.

This module and `kernel_lowering` are the only ones that know Numba's inner workings; constraints.txt names the version
they were tested with.
"""

from __future__ import annotations

import ctypes
import pickle
from collections.abc import Callable
from copy import copy
from types import SimpleNamespace
from typing import Any

import llvmlite.binding as llvm
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.sigutils import normalize_signature
from numba.core.types import Number
from numba.core.typing.templates import signature as make_signature

KERNEL_NAME = "apotheosis_kernel"

COUNTS = "apotheosis_branch_counts"
"""The array in a kernel that counts its branches: two for each branch, not taken and taken; of a function's calls the first."""


def target() -> Any:
    """Returns Numba's context for this processor, which is made on the first request."""
    return cpu_target.target_context


def processor() -> Any:
    """Returns LLVM's machine for this processor, with all code and data so near that calls and reads are direct."""
    codegen = target().codegen()
    name, features = codegen._get_host_cpu_name(), codegen._get_host_cpu_features()
    found = llvm.Target.from_triple(llvm.get_process_triple())
    return found.create_target_machine(name, features, opt=3, reloc="pic", codemodel="small", jit=True)


def without_types(description: Any) -> Any:
    """Returns a copy of a function's description that can be stored: its types lead to those of the whole kernel."""
    stored = copy(description)
    stored.typemap = stored.calltypes = stored.argtypes = stored.restype = None
    return stored


class LoadedKernel:
    """Machine code that has been loaded into this process.

    Args:
        data: what `kernel_lowering.assemble` returned.

    Attributes:
        object_code: the object file.
        symbols: names of the functions that Python does not call, by the symbol that they have where they were kept apart.
        places: what the counts of a kernel that counts its branches stand for.
        anchor: one symbol of the object file and the address where it was loaded.
    """

    def __init__(self, data: bytes):
        rtsys.initialize(target())
        stored = pickle.loads(data)
        for start in stored["initialisers"]:
            start()
        for name in ("NRT_MemInfo_data_fast", "NRT_incref", "NRT_decref"):
            llvm.add_symbol(name, rtsys.library.get_pointer_to_function(name))
        # the memory manager that puts all sections side by side, as the near code of `processor` needs it
        self.engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), processor(), use_lmm=True)
        self.engine.add_object_file(llvm.ObjectFileRef.from_data(stored["object"]))
        self.engine.finalize_object()
        for environment in stored["environments"]:
            self.set_env(environment.env_name, environment)
        self.doors = stored["doors"]
        self.object_code: bytes = stored["object"]
        self.symbols: dict[str, str] = stored["symbols"]
        self.places: list[tuple[str, int]] = stored["places"]
        self.anchor = stored["wrappers"][0], self.get_pointer_to_function(stored["wrappers"][0])
        self.codegen = self  # Numba asks a library for what sets its environments

    def get_pointer_to_function(self, name: str) -> int:
        """Returns the address of a function."""
        return self.engine.get_function_address(name)

    def branch_counts(self) -> list[int]:
        """Returns the counts of a kernel that counts its branches, so far (see `kernel_weights`)."""
        address = self.engine.get_global_value_address(COUNTS)
        return list((ctypes.c_uint64 * (2 * len(self.places))).from_address(address))

    def set_env(self, name: str, environment: Any) -> None:
        """Tells the machine code where an environment is."""
        place = ctypes.c_void_p.from_address(self.engine.get_global_value_address(name))
        place.value = id(environment)

    def overload(self, name: str, signature: Any) -> Any:
        """Returns a door's signature and callable in the form that dispatchers register.

        Args:
            name: the door's module and name.
            signature: its Numba signature or the text of it.
        """
        description, environment = self.doors[name]
        arguments, result = normalize_signature(signature)
        entry_point = target().get_executable(self, description, environment)
        return SimpleNamespace(
            signature=make_signature(result, *arguments),
            entry_point=entry_point,
            objectmode=False,
            fndesc=description,
            library=self,
        )


class Door(CPUDispatcher):
    """A kernel function that Python calls; it gets its machine code on its first call.

    Args:
        function: the plain function, kept as `py_func`.
        signature: its Numba signature or the text of it.
        options: compiler options.
        kernel: called without arguments, returns the loaded kernel.
    """

    def __init__(self, function: Callable, signature: Any, options: dict[str, Any], kernel: Callable[[], LoadedKernel]):
        super().__init__(function, {}, {"nopython": True, **options})
        self.declared = signature
        self.kernel = kernel

    def load(self) -> None:
        """Registers the door's machine code, unless that has been done."""
        if not self.overloads:
            name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
            self.add_overload(self.kernel().overload(name, self.declared))
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

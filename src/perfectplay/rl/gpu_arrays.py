"""Arrays on a GPU that other packages take without a copy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from perfectplay.compiler.cuda import CONFIG, driver, from_gpu
from perfectplay.rl.dlpack import CPU, CUDA, capsule


class GpuArray:
    """An array on a GPU, which `torch.from_dlpack`, `torch.as_tensor`, `jax.dlpack.from_dlpack` and CuPy share.

    `numpy()` copies it to main memory.
    """

    def __init__(self, array: Any, kind: Any = None) -> None:
        self.array = array
        """The array as numba knows it."""
        self.dtype = np.dtype(array.dtype if kind is None else kind)
        self.shape: tuple[int, ...] = tuple(array.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<GpuArray {self.dtype} {self.shape}>"

    def numpy(self) -> NDArray[Any]:
        """A copy in main memory."""
        return from_gpu(self.array).view(self.dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.numpy().astype(self.dtype if dtype is None else dtype, copy=False)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if CONFIG.ENABLE_CUDASIM:
            raise AttributeError("a simulated GPU has no CUDA arrays")
        return {**self.array.__cuda_array_interface__, "typestr": self.dtype.str}

    def __dlpack_device__(self) -> tuple[int, int]:
        return (CPU, 0) if CONFIG.ENABLE_CUDASIM else (CUDA, int(driver().get_current_device().id))

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The array as a capsule of DLPack, once all that was asked of the GPU is done."""
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("this array is shared where it is, without a copy")
        driver().synchronize()
        if CONFIG.ENABLE_CUDASIM:
            return address_of_simulated(self)
        address = self.array.__cuda_array_interface__["data"][0]
        return capsule(self.array, address, self.shape, self.dtype, self.__dlpack_device__())


def address_of_simulated(array: GpuArray) -> Any:
    """The capsule of a simulated array, which is in main memory."""
    inside = array.array._ary
    return capsule(inside, inside.ctypes.data, array.shape, array.dtype, (CPU, 0))

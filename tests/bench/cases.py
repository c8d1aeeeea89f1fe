# SPDX-License-Identifier: Apache-2.0
"""The cases, by name: each is a function that takes the inputs and a scope for what must be stopped at
its end, and returns a compare.Case. They raise inputs.Missing when an input cannot be made."""

from bench.image_cases import export, merge, pull_image, re_pull, rootfs, start_up, upper, verify
from bench.layer_cases import empty_files, layer_gzip, layer_tar, layer_zstd, small_files

CASES = {
	"layer-gzip": layer_gzip, "layer-zstd": layer_zstd, "layer-tar": layer_tar, "small-files": small_files, "empty-files": empty_files,
	"merge": merge, "pull": pull_image, "re-pull": re_pull, "upper": upper, "rootfs": rootfs, "export": export, "verify": verify, "start-up": start_up,
}

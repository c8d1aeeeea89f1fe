# SPDX-License-Identifier: Apache-2.0
"""Test images, built by tools that are not ours out of the recipes in tests/integration/images/.

	folder = images.layout("small")        an OCI layout; tags: see the recipe
	images.manifest(folder, "latest")      the parsed manifest
"""

import hashlib
import json
import os
import time

from support import cache, command

RECIPES = os.path.join(os.path.dirname(__file__), "..", "integration", "images")
BUILD_TIMEOUT = 3600  # seconds; "python" takes three to ten minutes


def layout(name):
	"""The OCI layout of a recipe's image, out of the cache when its recipe is unchanged."""
	return cache.folder(name, recipe_key(name), lambda path: build(name, path))


def recipe_key(name):
	digest = hashlib.sha256()
	folder = os.path.join(RECIPES, name)
	for file in sorted(os.listdir(folder)):
		with open(os.path.join(folder, file), "rb") as stream:
			digest.update(file.encode() + b"\0" + stream.read() + b"\0")
	return digest.hexdigest()[:16]


def build(name, path):
	started = time.monotonic()
	command.run([os.path.join(RECIPES, name, "build"), path], timeout=BUILD_TIMEOUT)
	print(f"      built the image {name} in {time.monotonic() - started:.0f} s", flush=True)


def blob(folder, digest):
	algorithm, value = digest.split(":")
	return os.path.join(folder, "blobs", algorithm, value)


def manifest_digest(folder, tag):
	with open(os.path.join(folder, "index.json")) as stream:
		for entry in json.load(stream)["manifests"]:
			if entry.get("annotations", {}).get("org.opencontainers.image.ref.name") == tag:
				return entry["digest"]
	raise KeyError(f"{folder} has no tag {tag}")


def manifest(folder, tag):
	with open(blob(folder, manifest_digest(folder, tag))) as stream:
		return json.load(stream)


def config(folder, tag):
	with open(blob(folder, manifest(folder, tag)["config"]["digest"])) as stream:
		return json.load(stream)

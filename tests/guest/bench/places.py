# SPDX-License-Identifier: Apache-2.0
"""Where a guest may have its root from: how it is given to the machine, and mounted in the guest.

	places = [Share9p("9p", tree), Virtiofs("virtiofs-none", tree, "none"), Overlay("disk-tmpfs", disk), ...]
	for place in places: place.attach(vm)
	script = setup(places)         mounts each at /c/NAME, with /proc, /dev and a folder /bench
"""


class Share:
	"""The root is the share; so is its /tmp."""
	ours = False

	def __init__(self, name, folder):
		self.name, self.folder = name, folder


class Share9p(Share):
	def attach(self, machine):
		machine.share_9p(self.name, self.folder)

	def mount(self):
		return f"busybox mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000 {self.name} /c/{self.name}"


class Virtiofs(Share):
	def __init__(self, name, folder, cache):
		super().__init__(name, folder)
		self.cache = cache

	def attach(self, machine):
		machine.share_virtiofs(self.name, self.folder, self.cache)

	def mount(self):
		return f"busybox mount -t virtiofs {self.name} /c/{self.name}"


class Disk:
	"""A disk that is the root by itself; /tmp is a tmpfs."""
	ours = True

	def __init__(self, name, path, form="raw", kind="ext4"):
		self.name, self.path, self.form, self.kind = name, path, form, kind

	def attach(self, machine):
		machine.disk(self.name, self.path, self.form)

	def mount(self):
		return f"busybox mount -t {self.kind} $(device {self.name}) /c/{self.name}"


class Overlay(Disk):
	"""A read-only disk below, a tmpfs or an ext4 image above."""

	def __init__(self, name, path, form="vmdk", upper=None, kind="erofs"):
		super().__init__(name, path, form, kind)
		self.upper = upper

	def attach(self, machine):
		machine.disk(self.name, self.path, self.form, read_only=True)
		if self.upper:
			machine.disk(f"{self.name}-up", self.upper)

	def mount(self):
		kind = "" if self.kind == "auto" else f"-t {self.kind} "
		lower, state = f"/l/{self.name}", f"/u/{self.name}"
		upper = f"busybox mount -t ext4 $(device {self.name}-up) {state}" if self.upper else f"busybox mount -t tmpfs tmpfs {state} && busybox mkdir {state}/upper {state}/work"
		return (f"busybox mkdir -p {lower} {state} && busybox mount {kind}-o ro $(device {self.name}) {lower} && {upper} &&\n"
			f"	busybox mount -t overlay -o lowerdir={lower},upperdir={state}/upper,workdir={state}/work overlay /c/{self.name}")


FIND = """
fail() { echo "GUEST FAILED: $*"; exit 1; }
device() {
	for disk in /sys/block/vd*; do
		[ "$(busybox cat $disk/serial)" = "$1" ] && echo /dev/${disk##*/} && return
	done
	echo "no disk $1"
}
tries=0
while [ "$(busybox ls -d /sys/block/vd* | busybox wc -l)" -lt %d ] && [ $tries -lt 600 ]; do tries=$((tries + 1)); busybox sleep 0.1; done
"""


def setup(places, disks):
	lines = [FIND % disks]
	for place in places:
		root = f"/c/{place.name}"
		lines.append(f"busybox mkdir -p {root}\n{place.mount()} || fail 'mount {place.name}'")
		lines.append(f"busybox mkdir -p {root}/proc {root}/dev {root}/tmp {root}/bench/{place.name} && busybox mount -t proc proc {root}/proc && busybox mount -o bind /dev {root}/dev || fail 'prepare {place.name}'")
		if place.ours:
			lines.append(f"busybox mount -t tmpfs tmpfs {root}/tmp")
		lines.append(f"busybox mkdir -p {root}/tmp/bench/{place.name}")
	return "\n".join(lines) + "\n"

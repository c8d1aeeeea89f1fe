/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libmkrootfs: OCI images to block devices that a guest kernel mounts by itself.
 *
 *	struct mkrootfs_pull_options options = { .reference = "python:3.12" };
 *	struct mkrootfs_image *image;
 *	struct mkrootfs_error error;
 *
 *	if (mkrootfs_pull(&image, &options, &error) < 0)
 *		fprintf(stderr, "%s\n", error.message);
 *	printf("attach %s read-only\n", mkrootfs_image_disk(image));
 *	mkrootfs_image_free(image);
 *
 * Conventions:
 *  - A function that can fail returns 0 or a negative enum mkrootfs_status, the same value that it
 *    stores in the caller-owned struct mkrootfs_error, which may be NULL.
 *  - Out-parameters come first; after a failure they are NULL or zero.
 *  - In option structs zero or NULL means the default. Zero the whole struct first: later versions
 *    may add fields at its end.
 *  - The library never prints, never exits, holds no global state, and reads neither the clock nor
 *    the environment, except where a function's text says so. Distinct objects may be used from
 *    distinct threads.
 *  - Strings are NUL-terminated; sizes are bytes.
 */
#ifndef MKROOTFS_H
#define MKROOTFS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MKROOTFS_API __attribute__((visibility("default")))
#else
#define MKROOTFS_API
#endif

/* The library's version, "MAJOR.MINOR.PATCH". Static storage. */
MKROOTFS_API const char *mkrootfs_version(void);

/* ---- Errors ---- */

enum mkrootfs_status {
	MKROOTFS_OK = 0,
	MKROOTFS_ERROR_INVALID = -1,	  /* an argument or option makes no sense */
	MKROOTFS_ERROR_IO = -2,		  /* the operating system refused; see os_errno */
	MKROOTFS_ERROR_NO_SPACE = -3,	  /* disk or quota is full */
	MKROOTFS_ERROR_MALFORMED = -4,	  /* an input does not follow its format */
	MKROOTFS_ERROR_DIGEST = -5,	  /* content does not match its digest or size */
	MKROOTFS_ERROR_NOT_FOUND = -6,	  /* no such image, tag, or file */
	MKROOTFS_ERROR_NETWORK = -7,	  /* no connection, or it broke */
	MKROOTFS_ERROR_DENIED = -8,	  /* credentials are missing or insufficient */
	MKROOTFS_ERROR_LIMIT = -9,	  /* an input exceeds a cap */
	MKROOTFS_ERROR_UNSUPPORTED = -10, /* valid, but not something this version handles */
	MKROOTFS_ERROR_CANCELLED = -11,	  /* the events callback asked to stop */
	MKROOTFS_ERROR_NO_MEMORY = -12,
	MKROOTFS_ERROR_PLATFORM = -13, /* the image is not there for the platform asked for */
	MKROOTFS_ERROR_TLS = -14,  /* no trust: a certificate, or TLS itself, was not accepted */
	MKROOTFS_ERROR_NAME = -15, /* a host name was not found */
	MKROOTFS_ERROR_RATE_LIMIT = -16 /* the server wants to be asked less often */
};

struct mkrootfs_error {
	int status;	    /* enum mkrootfs_status; 0 after a success */
	int os_errno;	    /* errno of the failed system call, or 0 */
	char message[1024]; /* one line, no newline at its end, control bytes escaped */
	/* What a user of the command can do about it, in one line as the above; or empty. */
	char advice[256];
};

/* A short lower-case name of a status, such as "not found". Static storage. */
MKROOTFS_API const char *mkrootfs_status_name(int status);

/* ---- Events ---- */

/* What an event is about; the fields of struct mkrootfs_event that it fills stand behind it. */
enum mkrootfs_event_kind {
	/*
	 * The manifest is known: layer_count, digest of the manifest, total bytes of all blobs. Of
	 * "tar:FILE" this is known only behind its layer's progress.
	 */
	MKROOTFS_EVENT_RESOLVED = 1,
	/*
	 * The store has the layer, nothing to fetch: layer_index, digest of the blob; of the
	 * uncompressed tar where the pull did not ask for the image.
	 */
	MKROOTFS_EVENT_LAYER_REUSED,
	/* layer_index, digest; done and total bytes of the blob. */
	MKROOTFS_EVENT_LAYER_PROGRESS,
	/* The layer is in the store: layer_index, digest; done bytes of the blob. */
	MKROOTFS_EVENT_LAYER_DONE,
	/* fsmeta and descriptor are written: done inodes in the merged tree. */
	MKROOTFS_EVENT_MERGED,
	/* text: one line that the user should know, control bytes escaped. */
	MKROOTFS_EVENT_WARNING,
	/* Waiting for another process, the network or a disk: a chance to cancel. */
	MKROOTFS_EVENT_WAITING,
	/*
	 * text: an image of a store was verified, by its reference or digest; or a layer image that
	 * no image has, or the folder of the records, by their paths. done problems were found.
	 */
	MKROOTFS_EVENT_VERIFIED,
	/* text: the path of what was removed. */
	MKROOTFS_EVENT_REMOVED,
	/*
	 * done and total bytes of file data that were exported, or written by a build or to an
	 * upper; of exports,
	 * files with holes count as what they have only in done. In a save those of one layer:
	 * layer_index, layer_count; with digest NULL while the layer is only read to know its
	 * digest, then with that.
	 */
	MKROOTFS_EVENT_EXPORT_PROGRESS
};

struct mkrootfs_event {
	enum mkrootfs_event_kind kind;
	uint32_t layer_index; /* from 0, lowest layer first */
	uint32_t layer_count;
	const char *digest; /* "sha256:<hex>", or NULL */
	uint64_t done;	    /* bytes, or as the kind says */
	uint64_t total;	    /* bytes; 0 when unknown */
	const char *text;   /* valid during the call only, or NULL */
};

/*
 * Called on the thread that made the library call. Returning non-zero cancels: the call fails with
 * MKROOTFS_ERROR_CANCELLED and leaves nothing behind.
 */
typedef int (*mkrootfs_event_fn)(void *user, const struct mkrootfs_event *event);

/* ---- Limits ---- */

/*
 * Caps on what an image may ask for. Zero means the default given here. An error of the status
 * MKROOTFS_ERROR_LIMIT that one of them caused names it: "(limits.entries)".
 */
struct mkrootfs_limits {
	uint64_t entries;	/* tar entries in one layer; 16,777,216 */
	uint64_t unpacked_size; /* bytes of one decompressed layer; 1 TiB */
	uint32_t path_depth;	/* components of a path; 1,024 */
	uint32_t xattr_bytes;	/* bytes of all names and values of one entry; 1 MiB */
	uint32_t layers;	/* layers of one image; 1,024 */
	/*
	 * Bytes that one byte of a layer's blob may unpack to; 2,000. It counts from 4 GiB of a
	 * layer on, over the bytes of the blob read so far. gzip cannot exceed 1,032.
	 */
	uint32_t ratio;
};

/* ---- Images ---- */

/*
 * An image in a store: its folder with fsmeta.erofs, disk.vmdk and layers. Read-only; strings that
 * its functions return live until mkrootfs_image_free.
 */
struct mkrootfs_image;

/*
 * Where the time of a layer went, in nanoseconds. Threads work side by side, so the parts may be
 * more than the whole.
 */
struct mkrootfs_layer_times {
	uint64_t receive; /* reading the blob: the network's time, or the disk's */
	uint64_t hash;	  /* digests of the blob and of the tar */
	uint64_t unpack;
	uint64_t write; /* parsing the tar, finding equal contents, writing the image */
	uint64_t sync;	/* bringing it to the disk, and giving it its name */
	uint64_t wait;	/* of this layer's threads for one another */
	uint64_t total; /* on the wall */
};

struct mkrootfs_image_layer {
	const char *diff_id; /* "sha256:<hex>" of the uncompressed tar */
	const char *path;    /* absolute path of the layer's EROFS image */
	uint64_t size;	     /* bytes of that file */
	int reused;	     /* non-zero: the last pull found it in the store */
	/* When the last pull was asked for times and made the layer; else zeros. */
	struct mkrootfs_layer_times times;
};

struct mkrootfs_string_list {
	size_t count;
	const char *const *items;
};

/* The parts of the image's config that a runtime needs. Absent ones are empty, never NULL. */
struct mkrootfs_image_config {
	struct mkrootfs_string_list env; /* "NAME=value" */
	struct mkrootfs_string_list entrypoint;
	struct mkrootfs_string_list cmd;
	const char *user;
	const char *working_dir;
	const char *stop_signal;
};

MKROOTFS_API const char *mkrootfs_image_reference(const struct mkrootfs_image *image);
/* Digest of the image's manifest, "sha256:<hex>". */
MKROOTFS_API const char *mkrootfs_image_digest(const struct mkrootfs_image *image);
/* "linux/amd64", with the variant behind another slash where there is one. */
MKROOTFS_API const char *mkrootfs_image_platform(const struct mkrootfs_image *image);
/* Absolute path of the image's folder, which may be moved or copied as a whole. */
MKROOTFS_API const char *mkrootfs_image_directory(const struct mkrootfs_image *image);
/* Absolute paths of the VMDK descriptor and of the merged metadata. */
MKROOTFS_API const char *mkrootfs_image_disk(const struct mkrootfs_image *image);
MKROOTFS_API const char *mkrootfs_image_fsmeta(const struct mkrootfs_image *image);
/* Bytes of the block device that the descriptor describes. */
MKROOTFS_API uint64_t mkrootfs_image_disk_size(const struct mkrootfs_image *image);
MKROOTFS_API size_t mkrootfs_image_layer_count(const struct mkrootfs_image *image);
MKROOTFS_API const struct mkrootfs_image_layer *
mkrootfs_image_layer(const struct mkrootfs_image *image, size_t index);
MKROOTFS_API const struct mkrootfs_image_config *
mkrootfs_image_config(const struct mkrootfs_image *image);
/* All of the above as one JSON object, the one that the command prints with --json. */
MKROOTFS_API const char *mkrootfs_image_json(const struct mkrootfs_image *image);
/*
 * What is damaged, in one line; NULL when nothing is. Only images of a list can have a problem:
 * such a one has no layers and an empty config, and pulling it again mends it.
 */
MKROOTFS_API const char *mkrootfs_image_problem(const struct mkrootfs_image *image);
MKROOTFS_API void mkrootfs_image_free(struct mkrootfs_image *image);

/* ---- Registries ---- */

/* How registries are asked. Strings are borrowed for the length of a call. */
struct mkrootfs_registry_options {
	int plain_http; /* non-zero: HTTP and never HTTPS */
	/*
	 * Authorities that a registry's certificate is checked against: those of the system, plus
	 * the PEM file ca_cert, plus each *.crt file of the folder cert_dir. The folder may also
	 * hold a client's certificate, NAME.cert beside its key NAME.key, as in docker's certs.d.
	 */
	const char *ca_cert;
	const char *cert_dir;
	/*
	 * Non-zero: certificates are not checked, and plain HTTP is taken from a registry that
	 * speaks no HTTPS. Each use is told as a warning.
	 */
	int insecure_tls;
	int retries; /* further attempts after a failure that may pass; 0: 3, -1: none */
	unsigned connect_timeout; /* seconds until name, connection and TLS; 0: 30 */
	unsigned idle_timeout;	  /* seconds without a byte; 0: 60. There is no overall limit */
	/*
	 * Credentials: these where they are given, for the registry of the reference alone; else
	 * those of the first of auth_files that has some for the repository or its registry.
	 */
	const char *username;
	const char *password;
	/*
	 * Files as docker, podman and skopeo keep them (containers-auth.json(5), docker's
	 * config.json, .dockercfg); missing ones are passed over. The credential helpers that a
	 * file names, docker-credential-NAME, are looked for in the PATH of the environment.
	 */
	struct mkrootfs_string_list auth_files;
	/*
	 * containers-registries.conf(5) of version 2: files, and folders whose *.conf files are
	 * read by name; later ones override. Locations, mirrors, blocked names, insecure
	 * registries and aliases are obeyed. Names are not searched: a short one that is no alias
	 * is of docker.io.
	 */
	struct mkrootfs_string_list registries_conf;
	/* "HOST[:PORT][/PATH]" to ask, in this order, before the registry and its other mirrors. */
	struct mkrootfs_string_list mirrors;
	/*
	 * Folders as /etc/containers/certs.d. Where cert_dir is NULL, that of a registry is the
	 * folder HOST[:PORT] in the first of them that has one.
	 */
	struct mkrootfs_string_list certs_dirs;
	/*
	 * Hosts, without ports, of the token servers that may be asked, besides the registry's own
	 * host; empty: whichever the registry names.
	 */
	struct mkrootfs_string_list token_hosts;
};

/* ---- Logging in ---- */

struct mkrootfs_login_options {
	const char *registry; /* "ghcr.io", "localhost:5000", or a part of one: "quay.io/owner" */
	/*
	 * The auth file that takes the credentials, made when missing; what else is in it stays.
	 * Where it names a credential helper for the registry, that takes them instead.
	 */
	const char *auth_file;
	struct mkrootfs_registry_options connection; /* with the user name and the password */
	mkrootfs_event_fn events;		     /* may be NULL */
	void *events_user;
};

/*
 * Asks the registry whether it takes the user name and the password (DENIED when not), then keeps
 * them. A registry that lets everybody in is told as a warning.
 */
MKROOTFS_API int mkrootfs_login(const struct mkrootfs_login_options *options,
				struct mkrootfs_error *error);
/*
 * Removes what mkrootfs_login and its like kept, also by helpers. registry NULL: for all of them.
 * NOT_FOUND when there was nothing.
 */
MKROOTFS_API int mkrootfs_logout(const char *registry, const char *auth_file,
				 struct mkrootfs_error *error);
/*
 * The user as whom a registry would be asked, by the auth_files of the options: "<token>" where
 * they have a token without a name. NOT_FOUND when there is none.
 */
#define MKROOTFS_USER_SIZE 512 /* bytes with the NUL; longer names are cut */
MKROOTFS_API int mkrootfs_login_user(char user[MKROOTFS_USER_SIZE], const char *registry,
				     const struct mkrootfs_registry_options *options,
				     struct mkrootfs_error *error);

/* ---- Pull ---- */

/* When a pull asks where the image comes from, and what it does without an answer. */
enum mkrootfs_pull_policy {
	MKROOTFS_PULL_ALWAYS = 0, /* it asks; without an answer it fails */
	MKROOTFS_PULL_MISSING,	  /* only when the store lacks the image for the platform */
	MKROOTFS_PULL_NEWER, /* it asks; without an answer an image of the store will do, with a
				warning */
	MKROOTFS_PULL_NEVER  /* it takes the store's image or fails with NOT_FOUND */
};

/* The most layers in work at the same time. */
#define MKROOTFS_PULL_MAX_JOBS 64u
/* The most threads of one pull. */
#define MKROOTFS_PULL_MAX_THREADS 256u

struct mkrootfs_pull_options {
	/*
	 * What to pull, as in docker: "python:3.12", "ghcr.io/a/b@sha256:...", "localhost:5000/x";
	 * a "docker://" prefix is accepted. Or a place on disk: "oci:DIR[:NAME]",
	 * "oci-archive:FILE[:NAME]", "docker-archive:FILE[:NAME:TAG|:@NUMBER]", "dir:DIR", or the
	 * tar of a root filesystem, "tar:FILE". A FILE "-" is the standard input. Archives may be
	 * compressed by gzip or zstd.
	 */
	const char *reference;
	const char *store;    /* folder of the store, made when missing; required */
	const char *platform; /* "os/architecture[/variant]"; default linux on the host's
				 architecture */
	struct mkrootfs_limits limits;
	mkrootfs_event_fn events; /* may be NULL */
	void *events_user;
	unsigned jobs; /* layers in work at the same time; default 3 */
	/*
	 * Threads that work at the same time: those of the jobs, and while there are fewer layers
	 * than that, some that receive and unpack ahead of them. Default: one more than the
	 * processors that the process may use; with a single processor, and with 1, a layer is one
	 * thread's work. Callbacks come on the calling thread all the same.
	 */
	unsigned threads;
	struct mkrootfs_registry_options registry; /* for references to registries */
	/*
	 * Name to record the image under, as docker takes it. Default: the reference; the name
	 * that a docker archive gives its image.
	 */
	const char *name;
	enum mkrootfs_pull_policy policy;
	/*
	 * Non-zero: what arrived of a registry's blob is not kept. By default it is until its layer
	 * is published, so that a pull that was interrupted goes on where it stopped; but one that
	 * two seconds are enough to fetch again.
	 */
	int no_partial;
	/* Non-zero: what things took is measured, see struct mkrootfs_image_layer. */
	int times;
};

/*
 * Brings an image into the store: resolves the reference, converts the layers that the store lacks,
 * merges their metadata and publishes the image's folder. Several processes may pull at once. On
 * success *image is the caller's to free. After a failure the store is as before, but for layers
 * that were complete.
 *
 * The network: registries are asked over HTTPS; over plain HTTP where that was asked for, and on
 * loopback where no TLS answers. What may pass is tried again, and a blob goes on where it broke.
 * libcurl obeys the proxy variables of the environment (https_proxy, no_proxy, ...).
 */
MKROOTFS_API int mkrootfs_pull(struct mkrootfs_image **image,
			       const struct mkrootfs_pull_options *options,
			       struct mkrootfs_error *error);

/*
 * Opens an image of the store by the reference it was pulled under, by its manifest's digest
 * ("sha256:<hex>") or by an unambiguous prefix of at least 6 hex digits of it.
 */
MKROOTFS_API int mkrootfs_image_open(struct mkrootfs_image **image, const char *store,
				     const char *name, struct mkrootfs_error *error);

/*
 * All images of a store: those with a reference, sorted by it, then those without one. A store that
 * does not exist yet has none. Free with mkrootfs_image_list_free.
 */
struct mkrootfs_image_list {
	size_t count;
	struct mkrootfs_image **images;
};
MKROOTFS_API int mkrootfs_image_list(struct mkrootfs_image_list **list, const char *store,
				     struct mkrootfs_error *error);
MKROOTFS_API void mkrootfs_image_list_free(struct mkrootfs_image_list *list);

/* ---- Reading ---- */

/*
 * An open root filesystem, read-only: what a guest would see of an image, without a guest, a mount
 * or root. Nothing is loaded beforehand; files stay open until mkrootfs_tree_close.
 */
struct mkrootfs_tree;

/*
 * Opens the filesystem that path holds: a layer image, a raw disk (fsmeta and layers in one file),
 * a disk.vmdk with its files beside it, an image folder, or an fsmeta.erofs, which alone has no
 * file data; one that is the first file of the disk.vmdk beside it stands for that disk.
 * Uncompressed EROFS images of other writers can be read too.
 */
MKROOTFS_API int mkrootfs_tree_open(struct mkrootfs_tree **tree, const char *path,
				    struct mkrootfs_error *error);
/* The disk of an image of a store. image may be freed before the tree. */
MKROOTFS_API int mkrootfs_tree_open_image(struct mkrootfs_tree **tree,
					  const struct mkrootfs_image *image,
					  struct mkrootfs_error *error);
MKROOTFS_API void mkrootfs_tree_close(struct mkrootfs_tree *tree);

/*
 * Paths count from the tree's root, with or without a slash before them; symbolic links and ".."
 * never lead out of it. A name that is not there, or stands behind something that is no directory,
 * is NOT_FOUND; more than 40 symbolic links on the way are over a LIMIT.
 */
enum mkrootfs_path_flag {
	MKROOTFS_NO_FOLLOW = 1 /* a symbolic link at the path's end is meant itself */
};

struct mkrootfs_stat {
	uint64_t inode; /* equal for all names of one file; the number that a guest sees */
	uint32_t mode;	/* type and permissions, as in stat(2) */
	uint32_t links;
	uint32_t uid;
	uint32_t gid;
	uint32_t device_major; /* of character and block devices */
	uint32_t device_minor;
	uint64_t size;
	int64_t mtime; /* seconds since 1970, may be negative */
	uint32_t mtime_nsec;
	/*
	 * Where a regular file's first bytes that are no hole stand on the host: a file of the disk
	 * (in an image folder, the layer), and the byte in it. NULL when there are none, or not
	 * here; lives as long as the tree.
	 */
	const char *data_file;
	uint64_t data_offset;
};
MKROOTFS_API int mkrootfs_tree_stat(struct mkrootfs_stat *stat, const struct mkrootfs_tree *tree,
				    const char *path, unsigned flags, struct mkrootfs_error *error);

/* The target of the symbolic link at path, with a NUL. What is no link is INVALID. */
#define MKROOTFS_LINK_SIZE 4096
MKROOTFS_API int mkrootfs_tree_readlink(char target[MKROOTFS_LINK_SIZE],
					const struct mkrootfs_tree *tree, const char *path,
					struct mkrootfs_error *error);

struct mkrootfs_entry {
	const char *name; /* any bytes but NUL and slash; not always UTF-8 */
	struct mkrootfs_stat stat;
	const char *target; /* of a symbolic link, else NULL */
};

/*
 * Called for each entry of a directory, in the order of the names' bytes, without "." and "..".
 * entry is valid during the call only, but for stat.data_file. It may use the tree. Returning
 * non-zero ends the listing, which then fails with MKROOTFS_ERROR_CANCELLED.
 */
typedef int (*mkrootfs_entry_fn)(void *user, const struct mkrootfs_entry *entry);
/* Nothing is collected: memory does not grow with the directory. */
MKROOTFS_API int mkrootfs_tree_list(const struct mkrootfs_tree *tree, const char *path,
				    mkrootfs_entry_fn fn, void *user, struct mkrootfs_error *error);

/* The same for each extended attribute, in the order of the names, such as "user.comment". */
typedef int (*mkrootfs_xattr_fn)(void *user, const char *name, const void *value, size_t size);
MKROOTFS_API int mkrootfs_tree_xattrs(const struct mkrootfs_tree *tree, const char *path,
				      unsigned flags, mkrootfs_xattr_fn fn, void *user,
				      struct mkrootfs_error *error);

/*
 * A regular file's data; symbolic links are followed, anything else is INVALID. Close it before
 * the tree. Any range may be read; *got is less than size only where the file ends, and 0 from
 * there on. Holes read as zeros.
 */
struct mkrootfs_file;
MKROOTFS_API int mkrootfs_file_open(struct mkrootfs_file **file, const struct mkrootfs_tree *tree,
				    const char *path, struct mkrootfs_error *error);
MKROOTFS_API uint64_t mkrootfs_file_size(const struct mkrootfs_file *file);
MKROOTFS_API int mkrootfs_file_read(size_t *got, const struct mkrootfs_file *file, uint64_t offset,
				    void *buffer, size_t size, struct mkrootfs_error *error);
MKROOTFS_API void mkrootfs_file_close(struct mkrootfs_file *file);

/* ---- Verifying ---- */

/* Something that is damaged. The strings live during the call only, control bytes are escaped. */
struct mkrootfs_problem {
	const char *name; /* what is verified: see MKROOTFS_EVENT_VERIFIED */
	const char *file; /* the file on this host that it is in, or NULL */
	const char *path; /* the file inside the root filesystem, from "/"; NULL: not one file's */
	const char *text; /* what is wrong, one line */
};

/* Called on the thread that made the library call. Returning non-zero cancels. */
typedef int (*mkrootfs_problem_fn)(void *user, const struct mkrootfs_problem *problem);

struct mkrootfs_verify_options {
	mkrootfs_problem_fn problem; /* may be NULL: then they are only counted */
	void *problem_user;
	mkrootfs_event_fn events; /* may be NULL */
	void *events_user;
	/*
	 * Of a store, non-zero: damaged layers, the folders of images that have them, damaged
	 * folders and records are removed, so that the next pull makes them again. Guests that use
	 * such files keep them until they close them.
	 */
	int remove_damaged;
};

struct mkrootfs_verify_result {
	uint64_t problems;
	uint64_t images;   /* EROFS images that were read, each file once whatever its names */
	uint64_t bytes;	   /* of them */
	uint64_t unsealed; /* of them, without a seal, by others: file data could not be checked */
	uint64_t unread;   /* files in layouts that are not read: neither could they */
	uint64_t removed;  /* files and folders */
};

/*
 * These read everything and compare it with what is recorded: each file's data and all metadata
 * with the hashes in the images (docs/formats.md), digests, identities, the structure. They return
 * 0 when they could come to an end, whatever they found: result->problems tells. options may be
 * NULL.
 *
 * An open root filesystem: all files it stands in.
 */
MKROOTFS_API int mkrootfs_tree_verify(struct mkrootfs_verify_result *result,
				      const struct mkrootfs_tree *tree,
				      const struct mkrootfs_verify_options *options,
				      struct mkrootfs_error *error);
/*
 * An image: its documents, each layer, the descriptor; and that fsmeta is what a fresh merge of the
 * layers gives. It may be one of a list that has a problem.
 */
MKROOTFS_API int mkrootfs_image_verify(struct mkrootfs_verify_result *result,
				       const struct mkrootfs_image *image,
				       const struct mkrootfs_verify_options *options,
				       struct mkrootfs_error *error);
/*
 * A store: the image that a name means, as for mkrootfs_image_open; or with name NULL all images,
 * layers and records, used or not.
 */
MKROOTFS_API int mkrootfs_store_verify(struct mkrootfs_verify_result *result, const char *store,
				       const char *name,
				       const struct mkrootfs_verify_options *options,
				       struct mkrootfs_error *error);

/* ---- Export ---- */

/*
 * Takes the next size bytes of a stream, all of them. Returns 0, or -1 with errno set; ECANCELED
 * cancels.
 */
typedef int (*mkrootfs_write_fn)(void *user, const void *data, size_t size);

struct mkrootfs_export_options {
	mkrootfs_event_fn events; /* may be NULL */
	void *events_user;
	int replace; /* non-zero: an existing file is replaced */
};

/*
 * Writes the tree as a tar (POSIX pax): all names with their attributes, hard links, devices,
 * extended attributes, holes and nanoseconds. A layer image becomes an OCI layer again, with its
 * whiteouts. The same tree gives the same bytes. options may be NULL.
 */
MKROOTFS_API int mkrootfs_tree_export(const struct mkrootfs_tree *tree, mkrootfs_write_fn write,
				      void *user, const struct mkrootfs_export_options *options,
				      struct mkrootfs_error *error);
/* The same into a file, which appears complete or not at all. */
MKROOTFS_API int mkrootfs_tree_export_file(const struct mkrootfs_tree *tree, const char *path,
					   const struct mkrootfs_export_options *options,
					   struct mkrootfs_error *error);

/* ---- Saving ---- */

enum mkrootfs_save_format {
	/*
	 * An OCI image layout in a tar with docker's manifest.json beside it: read by docker load,
	 * podman, containerd, skopeo (as docker-archive: and oci-archive:), and by mkrootfs_pull.
	 */
	MKROOTFS_SAVE_DOCKER_ARCHIVE = 0,
	MKROOTFS_SAVE_OCI_ARCHIVE /* the same without manifest.json */
};

struct mkrootfs_save_options {
	enum mkrootfs_save_format format;
	const char *name; /* the image's name in the archive; default: its reference, where that
			     is a name as docker takes it */
	/*
	 * A place on disk that has this very image, as in pull: its manifest, config and blobs are
	 * then copied, and the image keeps its digest. Without one the layers are made anew from
	 * the store, uncompressed, and manifest and config name those: the store keeps no blobs.
	 */
	const char *source;
	mkrootfs_event_fn events; /* may be NULL */
	void *events_user;
	int replace; /* non-zero: an existing file is replaced */
};

/*
 * Writes an image of a store as an archive of images. The same image, options and source give the
 * same bytes. options may be NULL.
 */
MKROOTFS_API int mkrootfs_save(const struct mkrootfs_image *image, mkrootfs_write_fn write,
			       void *user, const struct mkrootfs_save_options *options,
			       struct mkrootfs_error *error);
/* The same into a file, which appears complete or not at all. */
MKROOTFS_API int mkrootfs_save_file(const struct mkrootfs_image *image, const char *path,
				    const struct mkrootfs_save_options *options,
				    struct mkrootfs_error *error);

/* ---- The writable side ---- */

enum mkrootfs_upper_action {
	/*
	 * The host's file or folder source, with all in it, at path. Into a directory that is
	 * there, or is asked for by a slash at the end, it goes with its name; of a source
	 * "FOLDER/." only what is in it. Directories that are there keep their attributes. Times,
	 * modes, holes, hard links within, and those xattrs that mean something in a guest are
	 * kept; the owner is root.
	 */
	MKROOTFS_UPPER_COPY_IN = 1,
	/* The tar source, which may be compressed by gzip or zstd, over the guest's root. */
	MKROOTFS_UPPER_FROM_TAR,
	MKROOTFS_UPPER_MKDIR, /* a directory, with those on the way; one that is there stays */
	/* A file with data: 0644, or as the one that is there; through a symbolic link. */
	MKROOTFS_UPPER_WRITE,
	MKROOTFS_UPPER_SYMLINK, /* a symbolic link to source */
	/* The name is gone in the guest, whatever the image has there. */
	MKROOTFS_UPPER_REMOVE
};

/* Paths in the guest start at its root; ".." above it is an error. */
struct mkrootfs_upper_entry {
	enum mkrootfs_upper_action action;
	const char *path;   /* in the guest; not of an archive */
	const char *source; /* see the actions */
	const void *data;   /* of WRITE */
	size_t size;	    /* bytes of it */
	int set_owner;	    /* non-zero: uid and gid are for all that the entry makes */
	uint32_t uid, gid;
	int set_mode;  /* the same for mode, but of symbolic links */
	uint32_t mode; /* the 12 permission bits */
};

struct mkrootfs_upper_options {
	uint64_t size;	     /* bytes; default 4 GiB, rounded down to whole 4 KiB blocks */
	const char *uuid;    /* "xxxxxxxx-xxxx-..."; default: derived from size and label */
	const char *label;   /* at most 16 bytes; default none */
	int64_t source_date; /* seconds since 1970 for all times in the image */
	int replace;	     /* non-zero: an existing file is replaced; else that is an error */
	/*
	 * Bytes up to which the mounted filesystem can grow: ext4's resize_inode, which reserves a
	 * block for each further 8 GiB in each of a few groups; at most 8 TiB more than size, and
	 * 16 TiB. Default: no reserve. It then grows all the same, but kernels have to put the new
	 * descriptors elsewhere (meta_bg), which those before 3.7 cannot.
	 */
	uint64_t max_size;
	uint64_t inode_ratio;  /* bytes for each inode, from 4 KiB to 64 MiB; default 16 KiB */
	uint64_t journal_size; /* bytes, from 4 MiB to 256 MiB; default by size, at most 64 MiB */
	/* Millionths of all blocks that only the guest's root may fill, up to 500,000; default 0.
	 */
	uint32_t reserved_ppm;
	/* What upper/ holds from the start, put there in this order. */
	const struct mkrootfs_upper_entry *entries;
	size_t entry_count;
	/*
	 * What the guest has below the upper: its directories' attributes are kept, its links
	 * followed. NULL: none is known; directories on the way are then 0755 and root's.
	 */
	const struct mkrootfs_tree *image;
	/*
	 * A folder for an unnamed file with texts and the content of archives, while the image is
	 * made. Default: that of the image; for mkrootfs_upper_fd "/var/tmp".
	 */
	const char *temp_folder;
	/*
	 * While there are entries: LAYER_PROGRESS, done bytes of an unpacked archive that is read;
	 * WAITING for each folder that is copied; EXPORT_PROGRESS; WARNING of times that ext4
	 * cannot hold. May be NULL.
	 */
	mkrootfs_event_fn events;
	void *events_user;
};

/* Smallest size that mkrootfs_upper accepts, bytes. */
#define MKROOTFS_UPPER_MIN_SIZE (8u << 20)

/*
 * Writes a sparse, journaled ext4 image that holds the directories upper/ and work/ for overlayfs.
 * The file appears complete or not at all. options may be NULL.
 */
MKROOTFS_API int mkrootfs_upper(const char *path, const struct mkrootfs_upper_options *options,
				struct mkrootfs_error *error);
/*
 * The same into an open file (memfd, O_TMPFILE, block device) of any earlier size. Not synced: that
 * is the caller's, where the file is to outlast the machine.
 */
MKROOTFS_API int mkrootfs_upper_fd(int fd, const struct mkrootfs_upper_options *options,
				   struct mkrootfs_error *error);

/* What became of a filesystem: bytes of it. */
struct mkrootfs_resized {
	uint64_t before, after;
};

/*
 * Makes the filesystem of mkrootfs_upper larger while nobody uses it; size is that of the file,
 * rounded down as there. It is never made smaller (INVALID). A filesystem that was not unmounted,
 * or has what this library does not know, is refused (UNSUPPORTED) and not touched. After a crash
 * it has the old size or the new one, perhaps with a journal to replay. resized may be NULL.
 */
MKROOTFS_API int mkrootfs_upper_resize(struct mkrootfs_resized *resized, const char *path,
				       uint64_t size, struct mkrootfs_error *error);

/*
 * Makes to a copy of from: one that shares its blocks where the filesystem can (FICLONE), else one
 * with the same holes. It appears complete or not at all. While a machine uses from, only a shared
 * copy is possible, and it is as if that machine had been cut off. The UUID is the same, too.
 */
MKROOTFS_API int mkrootfs_upper_clone(const char *from, const char *to, int replace,
				      struct mkrootfs_error *error);

/* ---- Building: an image as a filesystem of another kind ---- */

struct mkrootfs_build_options {
	/*
	 * Bytes. Default: what the files take and a quarter more, at least 64 MiB, beside the
	 * journal and the tables of inodes, of which a quarter is free, too.
	 */
	uint64_t size;
	const char *uuid;     /* default: derived from the tree and the options */
	const char *label;    /* at most 16 bytes; default none */
	int64_t source_date;  /* seconds since 1970, for the filesystem and lost+found */
	uint64_t inode_ratio; /* the rest is as in mkrootfs_upper_options */
	uint64_t journal_size;
	uint64_t max_size;
	uint32_t reserved_ppm;
	mkrootfs_event_fn events; /* may be NULL */
	void *events_user;
	int replace; /* non-zero: an existing file is replaced; else that is an error */
};

/*
 * Writes all files of a tree as one writable ext4 filesystem with a journal, with their attributes,
 * hard links, devices, extended attributes, holes and nanoseconds; sparse, no root needed. The file
 * appears complete or not at all. The same tree and options give the same bytes. A size that is too
 * small is INVALID and says the least; what ext4 cannot hold is UNSUPPORTED and says which file.
 * options may be NULL.
 */
MKROOTFS_API int mkrootfs_tree_build_ext4(const struct mkrootfs_tree *tree, const char *path,
					  const struct mkrootfs_build_options *options,
					  struct mkrootfs_error *error);

/* ---- Single steps, for runtimes with a puller of their own ---- */

/*
 * Reads the next bytes of a stream into buffer. Returns the number of bytes, 0 at the end, or -1
 * with errno set.
 */
typedef int64_t (*mkrootfs_read_fn)(void *user, void *buffer, size_t size);

struct mkrootfs_layer_options {
	const char *blob_digest; /* digest of the stream as read; NULL: not checked */
	const char *diff_id;	 /* digest of the uncompressed tar; NULL: computed, not checked */
	struct mkrootfs_limits limits;
	mkrootfs_event_fn events;
	void *events_user;
	int replace; /* non-zero: an existing file is replaced */
	/*
	 * Threads that work at the same time, as of a pull: the calling one reads, others unpack
	 * and write. read and events are called on the calling thread all the same.
	 */
	unsigned threads;
};

/*
 * Converts one layer, a tar that may be compressed by gzip or zstd, into an EROFS image at path.
 * diff_id, when not NULL, takes the diff ID: at most 136 bytes with the NUL.
 */
#define MKROOTFS_DIGEST_SIZE 136
MKROOTFS_API int mkrootfs_layer_convert(const char *path, char diff_id[MKROOTFS_DIGEST_SIZE],
					mkrootfs_read_fn read, void *user,
					const struct mkrootfs_layer_options *options,
					struct mkrootfs_error *error);

struct mkrootfs_merge_options {
	mkrootfs_event_fn events;
	void *events_user;
	int replace;
};

/*
 * Merges the metadata of layer images, lowest first, into an fsmeta image at path. Its addresses
 * count from its own start, followed by each distinct layer in the order of first appearance.
 */
MKROOTFS_API int mkrootfs_fsmeta_merge(const char *path, const char *const *layers,
				       size_t layer_count,
				       const struct mkrootfs_merge_options *options,
				       struct mkrootfs_error *error);

/*
 * Writes a VMDK descriptor at path that stitches files, all in the descriptor's own folder, into
 * one read-only disk. Each file's size must be a multiple of 512.
 */
MKROOTFS_API int mkrootfs_disk_describe(const char *path, const char *const *files,
					size_t file_count, int replace,
					struct mkrootfs_error *error);

#ifdef __cplusplus
}
#endif
#endif

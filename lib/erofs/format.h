/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constants of the EROFS on-disk format, under the names of the kernel's fs/erofs/erofs_fs.h, with
 * the kernel version that brought what is younger than 5.4.
 */
#ifndef MKROOTFS_EROFS_FORMAT_H
#define MKROOTFS_EROFS_FORMAT_H

#define EROFS_SUPER_OFFSET 1024u
#define EROFS_SUPER_SIZE 128u
#define EROFS_SUPER_MAGIC_V1 0xE0F5E1E2u

#define EROFS_BLOCK_BITS 12u /* blkszbits: 4 KiB, whatever the host's page size */
#define EROFS_BLOCK_SIZE (1u << EROFS_BLOCK_BITS)

#define EROFS_FEATURE_COMPAT_SB_CHKSUM 0x1u
#define EROFS_FEATURE_COMPAT_MTIME 0x2u
#define EROFS_FEATURE_COMPAT_XATTR_FILTER 0x4u /* 6.6; older kernels pass over it */

#define EROFS_FEATURE_INCOMPAT_ZERO_PADDING 0x1u
#define EROFS_FEATURE_INCOMPAT_COMPR_CFGS 0x2u	  /* 5.13; and BIG_PCLUSTER */
#define EROFS_FEATURE_INCOMPAT_CHUNKED_FILE 0x4u  /* 5.15 */
#define EROFS_FEATURE_INCOMPAT_DEVICE_TABLE 0x8u  /* 5.16; and COMPR_HEAD2 */
#define EROFS_FEATURE_INCOMPAT_ZTAILPACKING 0x10u /* 5.17 */
#define EROFS_FEATURE_INCOMPAT_FRAGMENTS 0x20u	  /* 6.1; and DEDUPE */
#define EROFS_FEATURE_INCOMPAT_XATTR_PREFIXES 0x40u
#define EROFS_FEATURE_INCOMPAT_48BIT 0x80u
#define EROFS_FEATURE_INCOMPAT_METABOX 0x100u

/* i_format */
#define EROFS_I_VERSION_EXTENDED 0x1u
#define EROFS_I_DATALAYOUT_BIT 1u

#define EROFS_INODE_FLAT_PLAIN 0u
#define EROFS_INODE_COMPRESSED_FULL 1u
#define EROFS_INODE_FLAT_INLINE 2u
#define EROFS_INODE_COMPRESSED_COMPACT 3u
#define EROFS_INODE_CHUNK_BASED 4u /* 5.15 */

#define EROFS_INODE_COMPACT_SIZE 32u
#define EROFS_INODE_EXTENDED_SIZE 64u
#define EROFS_ISLOT_BITS 5u /* inodes stand at multiples of 32 bytes: the unit of a nid */
#define EROFS_ISLOT_SIZE (1u << EROFS_ISLOT_BITS)

/* i_u of chunk-based files */
#define EROFS_CHUNK_FORMAT_BLKBITS_MASK 0x1fu
#define EROFS_CHUNK_FORMAT_INDEXES 0x20u
#define EROFS_BLOCK_MAP_ENTRY_SIZE 4u
#define EROFS_CHUNK_INDEX_SIZE 8u

#define EROFS_NULL_ADDR 0xFFFFFFFFu

#define EROFS_DIRENT_SIZE 12u
#define EROFS_NAME_LEN 255u

/* file_type of a dirent */
#define EROFS_FT_UNKNOWN 0u
#define EROFS_FT_REG_FILE 1u
#define EROFS_FT_DIR 2u
#define EROFS_FT_CHRDEV 3u
#define EROFS_FT_BLKDEV 4u
#define EROFS_FT_FIFO 5u
#define EROFS_FT_SOCK 6u
#define EROFS_FT_SYMLINK 7u

#define EROFS_XATTR_IBODY_HEADER_SIZE 12u
#define EROFS_XATTR_ENTRY_SIZE 4u
#define EROFS_XATTR_ALIGN 4u

/* e_name_index */
#define EROFS_XATTR_INDEX_USER 1u
#define EROFS_XATTR_INDEX_POSIX_ACL_ACCESS 2u
#define EROFS_XATTR_INDEX_POSIX_ACL_DEFAULT 3u
#define EROFS_XATTR_INDEX_TRUSTED 4u
#define EROFS_XATTR_INDEX_SECURITY 6u

/* h_name_filter, 6.6: xxh32 with this seed plus the prefix index */
#define EROFS_XATTR_FILTER_SEED 0x25BBE08Fu
#define EROFS_XATTR_FILTER_BITS 32u
#define EROFS_XATTR_FILTER_DEFAULT 0xFFFFFFFFu

#define EROFS_MAX_BLOCKS                                                         \
	0xFFFFFFFEu /* block addresses have 32 bits, all ones is EROFS_NULL_ADDR \
		     */

#endif

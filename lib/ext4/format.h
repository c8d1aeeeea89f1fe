/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constants of ext4 and of its journal, jbd2, under the names of the kernel's headers, as
 * Documentation/filesystems/ext4 of the kernel describes them. Byte offsets of single fields are
 * in the encoders only. Versions are those from which ext4 carries the feature without known faults
 * (ext4(5)); all kernels from 3.18 on take every one of them.
 */
#ifndef MKROOTFS_EXT4_FORMAT_H
#define MKROOTFS_EXT4_FORMAT_H

#include <stdint.h>

/* ---- Geometry: one block size only, that of the page of most guests ---- */

#define EXT4_BLOCK_LOG_SIZE 12
#define EXT4_BLOCK_SIZE (1u << EXT4_BLOCK_LOG_SIZE)
#define EXT4_MIN_BLOCK_LOG_SIZE 10		     /* s_log_block_size counts from here */
#define EXT4_BLOCKS_PER_GROUP (8u * EXT4_BLOCK_SIZE) /* the bits of one bitmap block */
#define EXT4_SUPER_OFFSET 1024 /* of the primary superblock in block 0, bytes */
#define EXT4_SUPER_SIZE 1024
#define EXT4_DESC_SIZE 64 /* with INCOMPAT_64BIT; EXT4_MIN_DESC_SIZE_64BIT */
#define EXT4_DESC_PER_BLOCK (EXT4_BLOCK_SIZE / EXT4_DESC_SIZE)
#define EXT4_ADDR_PER_BLOCK (EXT4_BLOCK_SIZE / 4) /* block numbers in an indirect block */
#define EXT4_INODE_SIZE 256
#define EXT4_GOOD_OLD_INODE_SIZE 128
#define EXT4_EXTRA_ISIZE 32 /* sizeof(struct ext4_inode) - EXT4_GOOD_OLD_INODE_SIZE */
#define EXT4_INODES_PER_BLOCK (EXT4_BLOCK_SIZE / EXT4_INODE_SIZE)
#define EXT4_SECTORS_PER_BLOCK (EXT4_BLOCK_SIZE / 512) /* i_blocks counts sectors */

_Static_assert(EXT4_BLOCK_SIZE == 4096, "layout and tests assume 4 KiB blocks");
_Static_assert(EXT4_BLOCKS_PER_GROUP == 32768, "a group is 128 MiB");
_Static_assert(EXT4_DESC_PER_BLOCK == 64 && EXT4_INODES_PER_BLOCK == 16, "whole records a block");

/* ---- Superblock ---- */

#define EXT4_SUPER_MAGIC 0xEF53
#define EXT4_DYNAMIC_REV 1
#define EXT4_OS_LINUX 0
#define EXT4_VALID_FS 0x0001 /* s_state: cleanly unmounted */
#define EXT4_ERROR_FS 0x0002 /* s_state: errors were found */
#define EXT4_ERRORS_CONTINUE 1
#define EXT4_MAX_MNT_COUNT_NEVER 0xFFFF /* s_max_mnt_count -1: no check after n mounts */
#define EXT4_LABEL_MAX 16
#define EXT4_CRC32C_CHKSUM 1	 /* s_checksum_type */
#define EXT4_HASH_HALF_MD4 1	 /* s_def_hash_version; DX_HASH_HALF_MD4 */
#define EXT4_FLAGS_SIGNED_HASH 1 /* s_flags: names hash as signed bytes on every architecture */
#define EXT3_JNL_BACKUP_BLOCKS                                            \
	1 /* s_jnl_backup_type: s_jnl_blocks copies the journal's i_block \
	   */
#define EXT4_DEFM_XATTR_USER 0x0004
#define EXT4_DEFM_ACL 0x0008

#define EXT4_FEATURE_COMPAT_HAS_JOURNAL 0x0004	/* 2.4.15, ext3 */
#define EXT4_FEATURE_COMPAT_EXT_ATTR 0x0008	/* 2.6.0 */
#define EXT4_FEATURE_COMPAT_RESIZE_INODE 0x0010 /* 2.6.10 */
#define EXT4_FEATURE_COMPAT_DIR_INDEX 0x0020	/* 2.6.0 */

#define EXT4_FEATURE_INCOMPAT_FILETYPE 0x0002 /* 2.2.0, ext2 */
#define EXT4_FEATURE_INCOMPAT_RECOVER \
	0x0004 /* 2.4.15, ext3: the journal holds what is to be done */
#define EXT4_FEATURE_INCOMPAT_META_BG 0x0010 /* 2.6.28; descriptors stand in their own groups */
#define EXT4_FEATURE_INCOMPAT_EXTENTS 0x0040 /* 2.6.28 */
#define EXT4_FEATURE_INCOMPAT_64BIT 0x0080   /* 2.6.28 */
#define EXT4_FEATURE_INCOMPAT_FLEX_BG 0x0200 /* 2.6.28 */

#define EXT4_FEATURE_RO_COMPAT_SPARSE_SUPER 0x0001  /* 2.2.0, ext2 */
#define EXT4_FEATURE_RO_COMPAT_LARGE_FILE 0x0002    /* 2.2.0, ext2 */
#define EXT4_FEATURE_RO_COMPAT_HUGE_FILE 0x0008	    /* 2.6.28 */
#define EXT4_FEATURE_RO_COMPAT_DIR_NLINK 0x0020	    /* 2.6.28 */
#define EXT4_FEATURE_RO_COMPAT_EXTRA_ISIZE 0x0040   /* 2.6.28 */
#define EXT4_FEATURE_RO_COMPAT_METADATA_CSUM 0x0400 /* 3.18 */

/* ---- Group descriptors, bg_flags ---- */

#define EXT4_BG_INODE_UNINIT 0x0001 /* the inode bitmap was never written: no inode in use */
#define EXT4_BG_BLOCK_UNINIT 0x0002 /* the block bitmap was never written: only metadata in use */
#define EXT4_BG_INODE_ZEROED 0x0004 /* the inode table holds zeros: ext4lazyinit has no work */

/* ---- Inodes ---- */

#define EXT4_ROOT_INO 2
#define EXT4_RESIZE_INO 7 /* owns the blocks that later group descriptors go to */
#define EXT4_JOURNAL_INO 8
#define EXT4_GOOD_OLD_FIRST_INO 11 /* the first that is not reserved; lost+found takes it */
#define EXT4_INDEX_FL 0x00001000   /* an indexed directory */
#define EXT4_EXTENTS_FL 0x00080000
#define EXT4_LINK_MAX 65000	   /* names of a file; of a directory, 1 stands for more */
#define EXT4_BLOCKS_MAX UINT32_MAX /* of a file: the last logical number is for the size */
#define EXT4_S_IFREG 0100000
#define EXT4_S_IFDIR 0040000
#define EXT4_EPOCH_BITS 2 /* i_*time_extra: bits 32 and 33 of the seconds */
#define EXT4_TIME_MIN (-(INT64_C(1) << 31))
#define EXT4_TIME_MAX ((INT64_C(1) << 34) - (INT64_C(1) << 31) - 1) /* in the year 2446 */

/* ---- Extents in i_block ---- */

#define EXT4_N_BLOCKS 15
#define EXT4_DIND_BLOCK 13 /* of i_block without extents: where the pointers to pointers are */
#define EXT4_I_BLOCK_SIZE (EXT4_N_BLOCKS * 4)
#define EXT4_EXT_MAGIC 0xF30A
#define EXT4_EXTENT_SIZE 12		       /* also that of the header */
#define EXT4_INLINE_EXTENTS 4		       /* eh_max of a tree without blocks of its own */
#define EXT4_EXTENT_TAIL (EXT4_BLOCK_SIZE - 4) /* et_checksum of a block of the tree */
#define EXT4_EXTENTS_PER_BLOCK ((EXT4_EXTENT_TAIL - EXT4_EXTENT_SIZE) / EXT4_EXTENT_SIZE)
#define EXT_INIT_MAX_LEN (1u << 15) /* blocks; longer lengths mean unwritten */

_Static_assert((1 + EXT4_INLINE_EXTENTS) * EXT4_EXTENT_SIZE == EXT4_I_BLOCK_SIZE,
	       "i_block is full");

/* ---- Directories ---- */

#define EXT4_FT_REG_FILE 1
#define EXT4_FT_DIR 2
#define EXT4_FT_CHRDEV 3
#define EXT4_FT_BLKDEV 4
#define EXT4_FT_FIFO 5
#define EXT4_FT_SOCK 6
#define EXT4_FT_SYMLINK 7
#define EXT4_FT_DIR_CSUM 0xDE	 /* marks the tail that holds a leaf block's checksum */
#define EXT4_DIRENT_HEADER 8	 /* bytes before the name */
#define EXT4_DIRENT_ALIGN 4	 /* EXT4_DIR_PAD */
#define EXT4_DIRENT_TAIL_SIZE 12 /* struct ext4_dir_entry_tail */
#define EXT4_NAME_LEN 255
/* Indexed ones: struct dx_root, dx_node, dx_countlimit, dx_entry and dx_tail. */
#define EXT4_DX_ENTRY_SIZE 8
#define EXT4_DX_TAIL_SIZE 8
#define EXT4_DX_ROOT_ENTRIES 32 /* offset: behind "." and ".." and dx_root_info */
#define EXT4_DX_NODE_ENTRIES 8	/* offset: behind an entry without inode */
#define EXT4_DX_INFO_LENGTH 8
#define EXT4_DX_ROOT_LIMIT \
	((EXT4_BLOCK_SIZE - EXT4_DX_ROOT_ENTRIES - EXT4_DX_TAIL_SIZE) / EXT4_DX_ENTRY_SIZE)
#define EXT4_DX_NODE_LIMIT \
	((EXT4_BLOCK_SIZE - EXT4_DX_NODE_ENTRIES - EXT4_DX_TAIL_SIZE) / EXT4_DX_ENTRY_SIZE)

/* ---- Extended attributes ---- */

#define EXT4_XATTR_MAGIC 0xEA020000u
#define EXT4_XATTR_REFCOUNT_MAX 1024 /* inodes that share a block */
#define EXT4_XATTR_BODY_SIZE (EXT4_INODE_SIZE - EXT4_GOOD_OLD_INODE_SIZE - EXT4_EXTRA_ISIZE)
#define EXT4_XATTR_HEADER_SIZE 32
#define EXT4_XATTR_ENTRY_SIZE 16 /* before the name */
#define EXT4_XATTR_PAD 4	 /* of names and values */
#define EXT4_XATTR_INDEX_USER 1
#define EXT4_XATTR_INDEX_POSIX_ACL_ACCESS 2
#define EXT4_XATTR_INDEX_POSIX_ACL_DEFAULT 3
#define EXT4_XATTR_INDEX_TRUSTED 4
#define EXT4_XATTR_INDEX_SECURITY 6
#define EXT4_ACL_VERSION 1
#define EXT4_ACL_HEADER 4
#define EXT4_ACL_ENTRY 8
#define EXT4_ACL_ENTRY_SHORT 4 /* without an ID */

/* ---- jbd2: big-endian, unlike all else ---- */

#define JBD2_MAGIC_NUMBER 0xC03B3998u
#define JBD2_DESCRIPTOR_BLOCK 1
#define JBD2_COMMIT_BLOCK 2
#define JBD2_SUPERBLOCK_V2 4
#define JBD2_HEADER_SIZE 12
#define JBD2_TAG_SIZE 16      /* journal_block_tag3_t, of CSUM_V3 */
#define JBD2_FLAG_ESCAPE 1    /* the block's first word was the magic number, and is zeroed */
#define JBD2_FLAG_SAME_UUID 2 /* no UUID follows */
#define JBD2_FLAG_LAST_TAG 8
#define JBD2_SUPERBLOCK_SIZE 1024
#define JBD2_MIN_JOURNAL_BLOCKS 1024
#define JBD2_CRC32C_CHKSUM 4
#define JBD2_FEATURE_INCOMPAT_REVOKE 0x00000001	 /* 2.6.28; set when first needed */
#define JBD2_FEATURE_INCOMPAT_64BIT 0x00000002	 /* 2.6.28 */
#define JBD2_FEATURE_INCOMPAT_CSUM_V3 0x00000010 /* 3.18 */

#endif

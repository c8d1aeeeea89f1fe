# SPDX-License-Identifier: Apache-2.0
# Completion of the mkrootfs command for bash.

_mkrootfs()
{
	local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} commands="pull login logout upper resize clone images inspect ls cat stat export save build verify version help" options

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
		return
	fi
	case $previous in
	--store)
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		return
		;;
	-o | --output)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	--format)
		case $command in
		save) commands="docker-archive oci-archive" ;;
		build) commands="ext4" ;;
		*) commands="tar" ;;
		esac
		mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
		return
		;;
	--platform)
		mapfile -t COMPREPLY < <(compgen -W "linux/amd64 linux/arm64" -- "$word")
		return
		;;
	--cert-dir)
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
		return
		;;
	--tls-verify)
		mapfile -t COMPREPLY < <(compgen -W "true false" -- "$word")
		return
		;;
	--copy-in | --from | --registries-conf | --ca-cert | --authfile)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	--pull)
		mapfile -t COMPREPLY < <(compgen -W "always missing newer never" -- "$word")
		return
		;;
	--creds | -u | --username | -p | --password | -j | --jobs | --threads | --retry-times | --connect-timeout | --idle-timeout | -s | --size | --inode-ratio | --journal-size | --reserved-blocks | --image | --mkdir | --write | --symlink | --remove | --chown | --chmod | --mirror | --token-host | --uuid | --label | --name | --source | --max-*)
		return
		;;
	esac
	case $command in
	pull) options="--store --platform --name --plain-http --ca-cert --cert-dir --tls-verify --retry-times --connect-timeout --idle-timeout --creds --username --password --password-stdin --authfile --mirror --registries-conf --token-host --pull --jobs --threads --timings --no-partial --quiet --json --max-entries --max-unpacked --max-ratio --max-depth --max-xattrs --max-layers --help" ;;
	login) options="--username --password --password-stdin --authfile --get-login --plain-http --ca-cert --cert-dir --tls-verify --retry-times --connect-timeout --idle-timeout --help" ;;
	logout) options="--all --authfile --help" ;;
	upper) options="--size --max-size --inode-ratio --journal-size --reserved-blocks --uuid --label --image --copy-in --from --mkdir --write --symlink --remove --chown --chmod --store --force --quiet --json --help" ;;
	resize) options="--quiet --json --help" ;;
	clone) options="--force --json --help" ;;
	images) options="--store --quiet --json --help" ;;
	inspect) options="--store --json --help" ;;
	ls) options="--store --long --recursive --directory --null --json --help" ;;
	cat) options="--store --help" ;;
	stat) options="--store --json --help" ;;
	export) options="--store --output --format --force --quiet --help" ;;
	save) options="--store --output --format --name --source --force --quiet --help" ;;
	build) options="--store --output --format --size --max-size --inode-ratio --journal-size --reserved-blocks --uuid --label --force --quiet --json --help" ;;
	verify) options="--store --remove-damaged --quiet --json --help" ;;
	version | help) options="--help" ;;
	*) return ;;
	esac
	if [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
	elif [[ $command == help ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
	elif [[ $command == pull && $word == : ]]; then
		mapfile -t COMPREPLY < <(compgen -f)
	elif [[ $command == pull && $previous != : ]]; then
		mapfile -t COMPREPLY < <(compgen -W "oci: oci-archive: docker-archive: dir: tar:" -- "$word")
		compopt -o nospace 2>/dev/null
	elif [[ $command == @(upper|resize|clone|pull|ls|cat|stat) ]]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -o filenames -F _mkrootfs mkrootfs

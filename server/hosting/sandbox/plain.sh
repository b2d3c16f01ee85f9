# Runs as root, in a mount namespace of its own: lets the account $1 reach what it needs where that is, though folders above
# it are closed to it, then becomes the rest of its arguments under that account. Before them stand those folders, each of
# which becomes an empty one, up to a `--`, and pairs of a path and where it is to be found, up to another.
set -eu
account=$1
shift
mask=$(umask)
umask 022
mkdir -p /dev/net
# All that there is, where closing a folder does not hide it.
mount --rbind / /dev/net
while [ "$1" != -- ]; do
  mount -t tmpfs -o size=64k,mode=755 simcha "$1"
  shift
done
shift
while [ "$1" != -- ]; do
  if [ -d "/dev/net$1" ]; then mkdir -p "$2"; else mkdir -p "${2%/*}"; [ -e "$2" ] || : > "$2"; fi
  mount --bind "/dev/net$1" "$2"
  shift 2
done
shift
umount -l /dev/net
umask "$mask"
exec setpriv --reuid "$account" --regid "$account" --clear-groups --inh-caps=-all --no-new-privs "$@"

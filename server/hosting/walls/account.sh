# Runs as root, in a mount namespace of its own: puts what the account $1 (its group is the same) needs where it can reach
# it, for our folders are closed to it, then becomes the rest of its arguments under that account. Before them stands, of each
# thing up to a `--`, its path, the path as fstab(5) writes it, and the name it is to have below /dev/net. All are mounted by
# one program: to start one for each took longer than all that a site does to begin. $2: `tun` for who is to make a network.
set -eu
account=$1
makes=$2
shift 2
[ -d /dev/net ] || mkdir -p /dev/net
mount -n -t tmpfs -o size=64k,mode=755 simcha /dev/net
# The machine's own may be root's alone.
[ "$makes" != tun ] || mknod -m 666 /dev/net/tun c 10 200
cd /dev/net
folders=
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then folders="$folders $3"; else : > "$3"; fi
  printf '%s /dev/net/%s none bind 0 0\n' "$2" "$3" >> mounts
  shift 3
done
shift
# Names of ours, without spaces.
mkdir $folders
mount -n -a -T mounts
# They name paths of this machine.
: > mounts
cd /
exec setpriv --reuid "$account" --regid "$account" --clear-groups --inh-caps=-all --pdeathsig SIGKILL "$@"

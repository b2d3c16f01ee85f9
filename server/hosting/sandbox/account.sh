# What a shell begins with that runs as root, in a mount namespace of its own: makes room for what an account needs that can't
# reach it, for our folders are closed to it.
[ -d /dev/net ] || mkdir -p /dev/net
mount -n -t tmpfs -o size=64k,mode=755 simcha /dev/net
cd /dev/net
# What almost every command needs, so that no program has to be started for it once it is known which.
mkdir inside npm app home layer read0 mount0

# Puts things where the account can reach them: of each its path, the path as fstab(5) writes it, and the name that it is to
# have below /dev/net, a name of ours, without spaces. All are mounted by one program: to start one for each took longer than
# all that a site does to begin.
bring() {
  cd /dev/net
  folders=
  while [ $# -gt 0 ]; do
    if [ -d "$1" ]; then
      [ -d "$3" ] || folders="$folders $3"
    else
      [ ! -d "$3" ] || rmdir "$3"
      : > "$3"
    fi
    printf '%s /dev/net/%s none bind 0 0\n' "$2" "$3" >> mounts
    shift 3
  done
  [ -z "$folders" ] || mkdir $folders
  mount -n -a -T mounts
  # They name paths of this machine.
  : > mounts
  cd /
}

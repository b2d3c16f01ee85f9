# First lines of a shell that runs as root in its own mount namespace: prepares mount points for files that the account
# needs but can't reach, because the server's folders are closed to it.
[ -d /dev/net ] || mkdir -p /dev/net
mount -n -t tmpfs -o size=64k,mode=755 simcha /dev/net
cd /dev/net
# Mount points that almost every command needs are made in advance, so that no program has to be started for them later.
mkdir inside npm app home layer read0 mount0

# Mounts files and folders where the account can reach them. Three arguments for each: its path, the path as fstab(5)
# writes it, and its name below /dev/net (chosen by the server, without spaces). One program mounts all of them:
# starting one for each took longer than all else that a site does to start.
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
  # The list names paths of this machine, so it is emptied.
  : > mounts
  cd /
}

# Runs inside the new network, with the right to set it up: closes routes by the commands in $1, a line each for ip(8).
# Then it prints an empty line to say that it is ready, and stays until the server ends.
set -eu
printf '%s\n' "$1" | ip -batch -
# The kernel counts inotify watches by account, and all sites share one: this gives each site a part of them instead of
# all (user_namespaces(7); needs a writable /proc).
{
  echo 32 >/proc/sys/user/max_inotify_instances
  echo 8192 >/proc/sys/user/max_inotify_watches
} 2>/dev/null || :
echo
exec cat <&1 >/dev/null

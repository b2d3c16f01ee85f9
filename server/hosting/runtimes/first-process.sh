# First process of a container: runs the command $1, and ends as it does. The first process gets no SIGTERM by default
# and passes none on, so this script sends it to all processes. Containers on other machines can't be looked into: lines
# that begin with $2, if it is given, report the ports on which the container listens, unless they are the one in PORT.
/bin/sh -c -- "$1" &
child=$!
# Some shells print “Terminated” about a process that they wait for.
exec 2>/dev/null
asked=
trap 'asked=1; kill -TERM -1' TERM
listeners() {
  while read -r _ at _ state _; do
    # The engine's name server listens at 127.0.0.11.
    case $state:$at in
      0A:0B00007F:*) ;;
      0A:*) printf ' %d' "0x${at##*:}" ;;
    esac
  done 2>/dev/null <"$1"
}
if [ -n "${2-}" ] && [ -n "${PORT-}" ]; then
  (
    before=unknown
    turn=0
    while [ "$((turn += 1))" -le 60 ]; do
      sleep 1
      now="$(listeners /proc/net/tcp)$(listeners /proc/net/tcp6)"
      if [ "$now" != "$before" ]; then echo "$2 listens$now"; fi
      case "$now " in *" $PORT "*) exit ;; esac
      before=$now
    done
  ) &
fi
while true; do
  wait "$child"
  code=$?
  kill -0 "$child" || break
done
# The container ends with its first process: a shell may notice the signal before its children are done.
if [ -n "$asked" ]; then
  while kill -0 -1; do sleep 0.1 || sleep 1 || break; done
fi
exit "$code"

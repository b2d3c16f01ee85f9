# Ends the untrusted commands of a server that has not confirmed in time that they may run, such as a frozen one.
# $1, $2: parents of the homes of these commands, with a slash at the end.
# Each line of the input allows so many seconds, or no end with 0. The input ends with the server.

strike() {
  for pass in 1 2 3; do
    for file in $(grep -lzF -e "HOME=$1" -e "HOME=$2" /proc/[0-9]*/environ 2>/dev/null); do
      pid=${file#/proc/}
      kill -KILL "${pid%/environ}" 2>/dev/null
    done
  done
}

strike_in() {
  trap 'kill "$waiting" 2>/dev/null; exit' TERM
  sleep "$1" &
  waiting=$!
  wait "$waiting"
  strike "$2" "$3"
}

alarm=
while read -r seconds; do
  [ -z "$alarm" ] || kill -TERM "$alarm" 2>/dev/null
  alarm=
  [ "$seconds" = 0 ] && continue
  strike_in "$seconds" "$1" "$2" </dev/null &
  alarm=$!
done
[ -z "$alarm" ] || kill -TERM "$alarm" 2>/dev/null

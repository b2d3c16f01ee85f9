# Runs on the engine's machine, as the one who may change what its packets may do, for as long as the engine runs: from devices
# whose names begin with $1, nothing new goes to this machine, nor to a network that is closed. $2 names networks, a line each,
# such as "allow 192.168.7.0/24", the narrowest first, and $3 is whose engine it is. $4, where it is given, stands for $1 in the names
# of chains; $5 is a folder that is there while that is so, and is to be none that outlives the machine's start.
set -eu
devices=$1+
through=SIMCHA-${4-$1}
into=$through-IN
filter() { iptables --wait "$@"; }
rules() {
  printf '%s\n' '*filter' ":$through - [0:0]" ":$into - [0:0]"
  for chain in "$through" "$into"; do
    echo "-A $chain -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN"
    # The engine asks these for names on behalf of its containers.
    sed -n 's/^nameserver  *\([0-9.]*\) *$/\1/p' /etc/resolv.conf /run/systemd/resolve/resolv.conf 2>/dev/null | sort -u |
      while read -r server; do
        for protocol in udp tcp; do echo "-A $chain -d $server -p $protocol --dport 53 -j RETURN"; done
      done
  done
  printf '%s\n' "$1" | while read -r action network; do
    [ -n "$network" ] || continue
    case $action in
      allow) echo "-A $through -d $network -j RETURN" ;;
      block) echo "-A $through -d $network -j REJECT --reject-with icmp-net-prohibited" ;;
    esac
    # Of this machine's addresses one at a time alone.
    case "$action $network" in "allow "*/32) echo "-A $into -d $network -j RETURN" ;; esac
  done
  echo "-A $into -j REJECT --reject-with icmp-host-prohibited"
  echo COMMIT
}
jump() { filter -C "$1" -i "$devices" -j "$2" 2>/dev/null || filter -I "$1" -i "$devices" -j "$2"; }
# Podman puts its own before all others with the first of its networks, where it is not there yet, and lets all through by it.
podmans() { filter "$1" FORWARD -m comment --comment 'netavark firewall plugin rules' -j NETAVARK_FORWARD 2>/dev/null; }
foremost() {
  filter -S FORWARD | sed -n 's/^-A FORWARD .*-j \([^ ]*\)$/\1/p' | grep -Fx -e "$through" -e NETAVARK_FORWARD | head -n 1
}
first() {
  filter -N NETAVARK_FORWARD 2>/dev/null || :
  podmans -C || podmans -A
  if [ "$(foremost)" != "$through" ]; then
    filter -I FORWARD -i "$devices" -j "$through"
  fi
}
close() {
  if [ "$3" = podman ]; then
    jump FORWARD "$through"
    first
  else
    # An engine puts its own before all others whenever it starts, and leaves this one to us.
    base=FORWARD
    if filter -n -L DOCKER-USER >/dev/null 2>&1; then base=DOCKER-USER; fi
    jump "$base" "$through"
  fi
  jump INPUT "$into"
}
standing() { { filter -S "$through" && filter -S "$into"; } 2>/dev/null || :; }
known=
stood=
while true; do
  now=$(rules "$2")
  if [ "$now" != "$known" ] || [ "$(standing)" != "$stood" ]; then
    printf '%s\n' "$now" | iptables-restore --wait --noflush
    known=$now
    stood=$(standing)
  fi
  close "$@"
  if [ -n "${5:-}" ]; then mkdir -p "$5"; fi
  if [ -z "${told:-}" ]; then
    echo closed
    told=1
  fi
  sleep 5
done

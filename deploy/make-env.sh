#!/bin/sh
# Makes .env for docker-compose.yml, with a new password wherever one is asked for. What an .env that is there says already
# stays; what a newer .env.example asks for besides is added.
set -eu
cd "$(dirname "$0")/.."
umask 077
command -v openssl >/dev/null || { echo "openssl is needed, to make passwords" >&2; exit 1; }
trap 'rm -f .env.new' EXIT

# A line with its secret, if it is one that asks for it.
filled() {
  case $1 in
    WEBHOOK_SECRETS=) echo "$1default=whsec_$(openssl rand -base64 32)" ;;
    *_PASSWORD=) echo "$1$(openssl rand -hex 24)" ;;
    *) printf '%s\n' "$1" ;;
  esac
}

[ -e .env ] || cp .env.example .env
while IFS= read -r line || [ -n "$line" ]; do filled "$line"; done <.env >.env.new
while IFS= read -r line; do
  case $line in
    [A-Z]*=) grep -q "^$line" .env.new || filled "$line" >>.env.new ;;
  esac
done <.env.example
mv .env.new .env

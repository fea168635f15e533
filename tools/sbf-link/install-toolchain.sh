#!/bin/sh
# Installs what build.ts needs on Debian: Rust with the source of its standard library, and LLVM. Run as root.
set -eu

packages="rustc-web cargo-web rust-web-src llvm-22"
if dpkg-query --show --showformat='${db:Status-Status}\n' $packages 2>/dev/null | grep -cx installed | grep -qx 4; then
  exit 0
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update || echo "some package lists could not be refreshed" >&2
apt-get install --yes --no-install-recommends $packages

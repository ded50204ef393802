# `make help` says what there is.
DESTDIR ?=
PREFIX ?=
PHP_CONFIG ?= php-config
CARGO_TARGET_DIR ?= target

.PHONY: help demo test bench build install uninstall lint soak matrix clean
.DEFAULT_GOAL := help

help:
	@echo 'make demo       the main job, shown: sets up, builds, serves a limited page under load'
	@echo 'make build      the PHP extension, build/ratelimit.so'
	@echo 'make install    puts it where PHP finds it, and switches it on (DESTDIR= to stage, PHP_CONFIG= to choose a PHP, PREFIX= for elsewhere)'
	@echo 'make uninstall  takes it away again'
	@echo 'make test       every test (tests/scripts/test NAME… runs some)'
	@echo 'make bench      what a decision costs, beside peers in the same run'
	@echo 'make lint       formatting, clippy, docs, licences, shell and PHP syntax'
	@echo 'make soak       hours of fuzz, deaths and load, until one fails (MINUTES=60)'
	@echo 'make matrix     the phpt suite on every PHP found here'
	@echo 'make clean      removes what was built'

demo:
	@tests/scripts/demo

build:
	@tests/scripts/setup build
	@PHP_CONFIG='$(PHP_CONFIG)' tests/scripts/build

install:
	@tests/scripts/install '$(PHP_CONFIG)' '$(DESTDIR)' '$(PREFIX)'

uninstall:
	@tests/scripts/install --remove '$(PHP_CONFIG)' '$(DESTDIR)' '$(PREFIX)'

test:
	@tests/scripts/test

bench: build
	@tests/scripts/setup bench
	@tests/scripts/bench

lint:
	@tests/scripts/lint

soak:
	@tests/scripts/soak

matrix:
	@tests/scripts/matrix

clean:
	@rm -rf build '$(CARGO_TARGET_DIR)'

.PHONY: demo test bench format lint clean

demo:
	@Scripts/demo

test:
	@Scripts/test

bench:
	@Scripts/bench

format:
	@Scripts/lint --fix

lint:
	@Scripts/lint

clean:
	rm -rf .build Examples/*/.build Benchmarks/.build Tests/Browser/screenshots

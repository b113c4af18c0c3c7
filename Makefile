.PHONY: demo test format lint clean

demo:
	@Scripts/demo

test:
	@Scripts/test

format:
	@Scripts/lint --fix

lint:
	@Scripts/lint

clean:
	rm -rf .build Examples/*/.build Tests/Browser/screenshots

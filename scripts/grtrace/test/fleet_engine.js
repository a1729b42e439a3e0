// SPDX-License-Identifier: GPL-2.0
//
// Runs statements in DuckDB or in ClickHouse's engine.
//
//	node fleet_engine.js duckdb|clickhouse FILE
//
// FILE has statements that end with a ";" at the end of a line.  A comment "-- N. TITLE"
// before one makes it a query: its rows are printed as one line of JSON,
// {"query":N,"rows":[[...],...]}, with each value as text or null.  A comment
// "-- duration NAME" prints the seconds of the next statement.  Both are in
// the folder of this process, so that paths of FILE are relative.
"use strict";
const fs = require("fs");

async function duckdb() {
	const { DuckDBInstance } = require("@duckdb/node-api");
	const instance = await DuckDBInstance.create(":memory:");
	const connection = await instance.connect();
	return async (sql) => (await connection.runAndReadAll(sql)).getRowsJson();
}

async function clickhouse() {
	const { Session } = require("chdb");
	const session = new Session();
	process.on("exit", () => session.close());
	session.query("SET output_format_json_quote_64bit_integers = 1");
	return async (sql) =>
		session.query(sql, "JSONCompactEachRow").split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

const statements = function* (text) {
	let number = 0, name = "", sql = "";
	for (const line of text.split("\n")) {
		const query = /^-- (\d+)\. /.exec(line);
		const timed = /^-- duration (\w+)/.exec(line);
		if (query)
			number = Number(query[1]);
		if (timed)
			name = timed[1];
		if (/^\s*(--.*)?$/.test(line))
			continue;
		sql += line + "\n";
		if (!/;\s*(--.*)?$/.test(line))
			continue;
		yield { number, name, sql: sql.replace(/;\s*(--.*)?$/, "") };
		number = 0, name = "", sql = "";
	}
};

async function main([engine, file]) {
	const run = await { duckdb, clickhouse }[engine]();
	for (const { number, name, sql } of statements(fs.readFileSync(file, "utf8"))) {
		const started = process.hrtime.bigint();
		const rows = await run(sql).catch((error) => {
			throw new Error(`${engine}: ${error.message}\n${sql}`);
		});
		const seconds = Number(process.hrtime.bigint() - started) / 1e9;
		if (name)
			console.log(JSON.stringify({ duration: name, seconds }));
		if (number)
			console.log(JSON.stringify({ query: number, rows: rows.map((row) => row.map((value) =>
				value === null ? null : String(value))) }));
	}
}

main(process.argv.slice(2)).catch((error) => {
	console.error(error.message);
	process.exit(1);
});

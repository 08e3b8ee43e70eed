import { type SQL, sql } from "drizzle-orm";
import { getTableConfig, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { openMemory } from "../testing/memory-database.ts";
import type { Queries } from "./database.ts";
import * as schema from "./schema.ts";

interface Table {
  /** Each as `type [NOT NULL] [DEFAULT value]`. */
  readonly columns: Readonly<Record<string, string>>;
  /** Primary and foreign keys, as PostgreSQL writes them. */
  readonly keys: readonly string[];
}

test("the schema in code has the same tables, columns and keys as the migrations", async () => {
  const { queries, close } = await openMemory();
  try {
    expect(declaredTables()).toEqual(await migratedTables(queries));
  } finally {
    await close();
  }
});

function declaredTables(): Record<string, Table> {
  return Object.fromEntries(
    Object.values(schema).map((table: PgTable) => {
      const { name, columns, primaryKeys, foreignKeys } = getTableConfig(table);
      const own = columns.filter(({ primary }) => primary);
      const primary = primaryKeys.length > 0 ? primaryKeys.map((key) => key.columns) : [own];
      const described = columns.map((column) => {
        const type = column.getSQLType();
        if (type === "bigserial") return [column.name, `bigint NOT NULL DEFAULT nextval('${name}_${column.name}_seq')`];
        return [column.name, describe({ type, isRequired: column.notNull, fallback: toSql(column.default) })];
      });
      const references = foreignKeys.map((key) => {
        const { columns: from, foreignTable, foreignColumns } = key.reference();
        const target = `${getTableConfig(foreignTable).name}(${namesOf(foreignColumns)})`;
        return `FOREIGN KEY (${namesOf(from)}) REFERENCES ${target} ON DELETE ${key.onDelete?.toUpperCase()}`;
      });
      const keys = [...references, ...primary.map((key) => `PRIMARY KEY (${namesOf(key)})`)];
      return [name, { columns: Object.fromEntries(described), keys: keys.sort() }];
    }),
  );
}

async function migratedTables(queries: Queries): Promise<Record<string, Table>> {
  const columns = await rowsOf<{ table: string; name: string; type: string; isRequired: boolean; fallback: string }>(
    queries,
    sql`SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
        a.attnotnull AS "isRequired", replace(pg_get_expr(d.adbin, d.adrelid), '::regclass', '') AS fallback
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  const keys = await rowsOf<{ table: string; key: string }>(
    queries,
    sql`SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS key FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'f')`,
  );
  // `migrate` creates this table itself, and no other query uses it.
  const names = new Set(columns.map(({ table }) => table).filter((table) => table !== "migrations"));
  return Object.fromEntries(
    [...names].map((name) => {
      const own = columns.filter(({ table }) => table === name);
      return [
        name,
        {
          columns: Object.fromEntries(own.map((column) => [column.name, describe(column)])),
          keys: keys.flatMap(({ table, key }) => (table === name ? [key] : [])).sort(),
        },
      ];
    }),
  );
}

function describe(column: { type: string; isRequired: boolean; fallback: string | null }): string {
  const { type, isRequired, fallback } = column;
  return [type, isRequired && "NOT NULL", fallback !== null && `DEFAULT ${fallback}`].filter(Boolean).join(" ");
}

function toSql(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === "object" ? new PgDialect().sqlToQuery(value as SQL).sql : String(value);
}

function namesOf(columns: readonly { readonly name: string }[]): string {
  return columns.map(({ name }) => name).join(", ");
}

async function rowsOf<Row>(queries: Queries, query: SQL): Promise<readonly Row[]> {
  return ((await queries.execute(query)) as unknown as { rows: Row[] }).rows;
}

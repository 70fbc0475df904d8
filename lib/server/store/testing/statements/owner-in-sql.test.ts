import { describe, expect, it } from 'vitest'
import { unboundTables } from './owner-in-sql'

const divided = new Set(['conversations', 'messages', 'runs'])
const unbound = (sql: string) => unboundTables(sql, divided)

const good = [
  'select * from messages where owner = ? and id = ?',
  `select '?' from messages where owner = ?`,
  'select * from "messages" as "m" where "id" in (?, ?) and ("m"."owner" = $1::text and true)',
  'select * from runs inner join messages on messages.owner = runs.owner where runs.owner = $1',
  'select * from runs inner join messages on messages.id = runs.id and runs.owner = $1 and $1 = messages.owner',
  'select * from conversations c left join messages m on m.owner = c.owner where c.owner = $1',
  'select (select count(*) from runs where runs.owner = c.owner) from conversations c where c.owner = $1',
  'select (select count(*) from runs where owner = $1) from conversations c where c.owner = $1',
  'insert into messages (id, owner) values ($1, $2), ($3, $4)',
  'insert into messages (owner, seq) values ($1, (select max(seq) from messages where owner = $1))',
  'insert into messages (owner, id) select owner, $1 from messages where owner = $2',
  'insert into messages (owner, id) select $1, id from messages where owner = $1 on conflict do nothing',
  'update messages set seq = 1 where owner = $1 and id = (select id from runs where owner = $1) returning *',
  'update messages set seq = 1 from runs where runs.owner = messages.owner and messages.owner = $1',
  'delete from messages using runs where runs.owner = messages.owner and runs.owner = $1',
  'with mine as (select * from runs where owner = $1) select * from messages join mine on mine.owner = messages.owner',
  'select * from (select owner from runs where owner = $1) r join messages m on m.owner = r.owner',
  'select id from runs where owner = $1 union all select id from messages where owner = $1',
  'update runs set x = 1 where y = $1 and ((owner = $2 and id = $3) or (owner = $4 and id = $5)) returning (select max(seq) from messages where messages.owner = runs.owner)',
  'select * from other where x = 1',
  'select 1',
]

const bad: readonly (readonly [string, readonly string[]])[] = [
  ['select * from messages', ['messages']],
  ['select * from messages where id = $1', ['messages']],
  ['select * from messages where owner = $1 or id = $2', ['messages']],
  ['select * from messages where (owner = $1 and id = $2) or (owner <> $3 and id = $4)', ['messages']],
  ['select * from runs, messages where runs.owner = $1 or messages.owner = $2', ['runs', 'messages']],
  ['select * from messages where not (owner = $1)', ['messages']],
  ['select * from messages where owner <> $1', ['messages']],
  ['select * from messages where owner in ($1, $2)', ['messages']],
  ['select * from messages where owner = id', ['messages']],
  ['select * from messages where owner = owner', ['messages']],
  [`select 'owner = 1' from messages -- where owner = $1`, ['messages']],
  ['select * from runs join messages on messages.id = runs.id where runs.owner = $1', ['messages']],
  ['select * from runs join messages on messages.owner = runs.owner', ['runs', 'messages']],
  [
    'select * from conversations c left join messages m on m.owner = c.owner and c.owner = $1',
    ['conversations', 'messages'],
  ],
  ['select (select count(*) from runs) from conversations c where c.owner = $1', ['runs']],
  ['select * from conversations c where c.id in (select id from runs where owner = $1)', ['conversations']],
  ['select * from conversations c where exists (select 1 from runs where c.owner = $1)', ['conversations', 'runs']],
  ['insert into messages (id) values ($1)', ['messages']],
  ['insert into messages values ($1)', ['messages']],
  ['insert into messages (id, owner) values ($1, $2), ($3, lower($4))', ['messages']],
  ['insert into messages (owner, seq) values ($1, (select max(seq) from messages))', ['messages']],
  ['insert into messages (owner, id) select owner, id from messages', ['messages', 'messages']],
  ['insert into messages (owner, id) select id, owner from messages where owner = $1', ['messages']],
  ['update messages set owner = $1', ['messages']],
  ['update messages set seq = 1 from runs where runs.owner = $1', ['messages']],
  ['update messages set seq = (select 1 from runs) where owner = $1', ['runs']],
  ['delete from messages where id = $1', ['messages']],
  ['with all_runs as (select * from runs) select * from messages where owner = $1', ['runs']],
  [
    'with r as (select id as owner from runs where owner = $1) select * from messages join r on r.owner = messages.owner',
    ['messages'],
  ],
  ['select id from runs where owner = $1 union all select id from messages', ['messages']],
]

describe('the owner in SQL', () => {
  it.each(good)('is bound: %s', async (sql) => {
    expect(await unbound(sql)).toEqual([])
  })

  it.each(bad)('is not bound: %s', async (sql, tables) => {
    expect((await unbound(sql)).toSorted()).toEqual([...tables].toSorted())
  })
})

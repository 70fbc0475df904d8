import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { ToolSpec } from '../types/tool-context-def'

const text: JsonObject = { type: 'string' }
const count: JsonObject = { type: 'integer', minimum: 1 }
const flag: JsonObject = { type: 'boolean' }
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items })
const oneOf = (...options: readonly string[]): JsonObject => ({ type: 'string', enum: [...options] })

/** `required` first, then the optional parameters. */
const spec = (
  name: string,
  description: string,
  required: Readonly<Record<string, JsonValue>>,
  optional: Readonly<Record<string, JsonValue>> = {},
): ToolSpec => ({
  name,
  description,
  parameters: {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  },
})

/**
 * A realistic set of tools for a team: files, code, the web, a calendar, mail, tickets. Costs are stated for the first
 * one, the first five and all twenty; golden prompts show the first five.
 */
export const twentyTools: readonly ToolSpec[] = [
  spec('read_file', 'Reads a text file, whole or a page of lines.', { path: text }, { offset: count, limit: count }),
  spec('write_file', 'Writes a text file, whole; replaces what was there.', { path: text, content: text }),
  spec('list_directory', 'Lists a folder: names, kinds, sizes in bytes.', { path: text }),
  spec('browser_js_eval', 'Runs JavaScript in a sandbox without network; gives the value and the console.', {
    code: text,
  }),
  spec(
    'search_files',
    'Finds lines in files by a text or a pattern.',
    { query: text },
    {
      folder: text,
      regex: flag,
      max_results: { type: 'integer', minimum: 1, maximum: 200 },
    },
  ),
  spec('move_file', 'Moves or renames a file or a folder.', { from: text, to: text }),
  spec('delete_file', 'Deletes a file for good.', { path: text }),
  spec(
    'edit_file',
    'Replaces passages of a file; each must occur exactly once.',
    {
      path: text,
      edits: listOf({ type: 'object', properties: { old: text, new: text }, required: ['old', 'new'] }),
    },
    {},
  ),
  spec(
    'fetch_page',
    'Gets a web page as Markdown.',
    { url: { type: 'string', format: 'uri' } },
    { max_characters: count },
  ),
  spec(
    'search_web',
    'Searches the web; gives titles, addresses and excerpts.',
    { query: text },
    { site: text, newer_than: oneOf('day', 'week', 'month', 'year') },
  ),
  spec('get_time', 'Tells date, time and time zone of the user.', {}),
  spec(
    'list_events',
    'Lists events of the calendar between two days.',
    { from: { type: 'string', format: 'date' }, to: { type: 'string', format: 'date' } },
    { calendar: text },
  ),
  spec(
    'create_event',
    'Adds an event to the calendar; invites the guests by mail.',
    {
      title: text,
      start: { type: 'string', format: 'date-time' },
      minutes: { type: 'integer', minimum: 5, multipleOf: 5 },
    },
    { guests: listOf({ type: 'string', format: 'email' }), place: text, notes: text },
  ),
  spec('search_mail', 'Finds messages; gives sender, subject, date and id.', { query: text }, { limit: count }),
  spec('read_mail', 'Gives one message with its attachments’ names.', { id: text }),
  spec(
    'send_mail',
    'Sends a message in the user’s name.',
    { to: listOf({ type: 'string', format: 'email' }), subject: text, body: text },
    { cc: listOf({ type: 'string', format: 'email' }), reply_to: { anyOf: [text, { type: 'null' }] } },
  ),
  spec(
    'list_tickets',
    'Lists tickets of the tracker, newest first.',
    {},
    { state: oneOf('open', 'closed', 'all'), label: text, assignee: text, page: count },
  ),
  spec('get_ticket', 'Gives a ticket with all comments.', { number: count }),
  spec(
    'update_ticket',
    'Changes fields of a ticket, or comments on it.',
    { number: count },
    { state: oneOf('open', 'closed'), labels: listOf(text), assignee: text, comment: text },
  ),
  spec(
    'query_database',
    'Runs one read-only SQL query; gives at most 500 rows.',
    { sql: text },
    { parameters: listOf({ anyOf: [text, { type: 'number' }, { type: 'null' }] }) },
  ),
]

import type { JsonObject } from '@/lib/base/json'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import { parameters } from '../probe'

/* The tools that our probes offer. They exist nowhere else: the lab never runs a tool. */

const text = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'string', description, ...more })
const whole = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'integer', description, ...more })
const number = (description: string): JsonObject => ({ type: 'number', description })
const flag = (description: string, more: JsonObject = {}): JsonObject => ({ type: 'boolean', description, ...more })
const texts = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description })

const tool = (name: string, description: string, properties: Readonly<Record<string, JsonObject>>): ToolSpec => ({
  name,
  description,
  parameters: parameters(properties),
})

const date = text('The day as YYYY-MM-DD')
const time = text('The time as HH:MM, 24 hours')

const list = [
  tool('get_weather', 'The weather of now in a city.', {
    city: text('The name of the city, in English'),
    'unit?': text('Degrees', { enum: ['celsius', 'fahrenheit'], default: 'celsius' }),
  }),
  tool('read_file', 'Reads a text file.', { path: text('The whole path') }),
  tool('write_file', 'Writes a text file; one that stands there is replaced.', {
    path: text('The whole path'),
    content: text('All of the file, exactly as it is to stand there'),
  }),
  tool('list_directory', 'Lists the files of a folder.', { path: text('The whole path') }),
  tool('search_files', 'Finds the files that hold a text.', {
    query: text('The text to look for'),
    'folder?': text('Where to look', { default: '/' }),
  }),
  tool('delete_path', 'Deletes a file or a folder.', { path: text('The whole path') }),
  tool('move_path', 'Moves or renames a file.', { from: text('Where it is'), to: text('Where it goes') }),
  tool('send_email', 'Sends a mail.', {
    to: text('The address'),
    subject: text('The subject line'),
    body: text('The text of the mail'),
  }),
  tool('create_event', 'Puts an event into the calendar.', {
    title: text('What it is'),
    date,
    time,
    'minutes?': whole('How long it takes', { default: 60 }),
  }),
  tool('convert_currency', 'Converts an amount of money at the rate of today.', {
    amount: number('How much'),
    from: text('The currency as three letters'),
    to: text('The currency as three letters'),
  }),
  tool('translate_text', 'Translates a text.', {
    text: text('The text as it is'),
    to: text('The language as two letters, such as fr'),
  }),
  tool('set_timer', 'Rings after some minutes.', {
    minutes: whole('How many', { minimum: 1 }),
    'label?': text('What it is for'),
  }),
  tool('play_music', 'Plays a piece of music.', { title: text('The piece'), 'artist?': text('Who plays it') }),
  tool('find_route', 'Finds the way from one place to another.', {
    from: text('The start'),
    to: text('The end'),
    'by?': text('How', { enum: ['car', 'train', 'bike', 'foot'], default: 'car' }),
  }),
  tool('book_table', 'Books a table in a restaurant.', {
    restaurant: text('Its name'),
    people: whole('For how many'),
    date,
    time,
  }),
  tool('add_to_list', 'Adds things to a list of the person.', {
    list: text('The name of the list'),
    items: texts('What is added, each by itself'),
  }),
  tool('get_stock_price', 'The price of a share now.', { symbol: text('The ticker symbol, such as IBM') }),
  tool('run_query', 'Runs an SQL query and gives its rows.', { sql: text('The query') }),
  tool('post_json', 'Sends a JSON text to an address.', {
    url: text('The address'),
    body: text('The JSON as one text'),
  }),
  tool('count_words', 'Counts the words of a text.', { text: text('The text as it is') }),
  tool('resize_image', 'Makes a picture larger or smaller.', {
    path: text('The whole path'),
    width: whole('Pixels'),
    height: whole('Pixels'),
    'keep_ratio?': flag('Whether it keeps its shape', { default: true }),
  }),
  tool('create_user', 'Makes an account.', {
    name: text('The full name'),
    email: text('The address'),
    'age?': whole('Years'),
    'roles?': { type: 'array', items: { type: 'string', enum: ['reader', 'writer', 'admin'] }, description: 'Rights' },
  }),
  tool('get_time', 'Date and time of now.', { 'time_zone?': text('As in the IANA database, such as Asia/Tokyo') }),
  tool('lookup_word', 'Looks a word up in a dictionary.', {
    word: text('The word'),
    'language?': text('As two letters', { default: 'en' }),
  }),
  tool('compute', 'Computes an arithmetic expression.', { expression: text('Such as 2 * (3 + 4)') }),
  tool('turn_light', 'Turns the light of a room on or off.', {
    room: text('The room'),
    on: flag('On, or off'),
    'brightness?': whole('Percent', { minimum: 0, maximum: 100 }),
  }),
  tool('get_order', 'What is known of an order.', { order_id: text('Its number, such as A-1001') }),
  tool('refund_order', 'Gives money of an order back.', {
    order_id: text('Its number'),
    amount: number('How much, in the currency of the order'),
  }),
  tool('find_customer', 'Finds a customer by mail address.', { email: text('The address') }),
  tool('regex_replace', 'Replaces in a text what a regular expression matches.', {
    text: text('The text as it is'),
    pattern: text('The expression, without slashes around it'),
    replacement: text('What takes its place'),
  }),
  tool('set_config', 'Sets a value of the configuration.', {
    key: text('Its name'),
    value: text('Its value, as text'),
  }),
  tool('draw_shape', 'Draws a shape.', {
    shape: text('Which', { enum: ['circle', 'square', 'triangle'] }),
    size: {
      type: 'object',
      description: 'In millimetres',
      properties: { width: { type: 'number' }, height: { type: 'number' } },
      required: ['width', 'height'],
    },
    'colour?': text('Its name in English'),
  }),
] as const satisfies readonly ToolSpec[]

const byName = new Map(list.map((one) => [one.name, one]))

/** Tools by their names. */
export const offer = (...names: readonly string[]): readonly ToolSpec[] =>
  names.map((name) => {
    const found = byName.get(name)
    if (!found) throw new Error(`there is no tool ${name} for probes`)
    return found
  })

/** `count` tools including the wanted ones: the more there are, the harder it is to find the right one. */
export const crowd = (count: number, ...wanted: readonly string[]): readonly ToolSpec[] =>
  [...offer(...wanted), ...list.filter(({ name }) => !wanted.includes(name)).slice(0, count - wanted.length)].toSorted(
    (a, b) => (a.name < b.name ? -1 : 1),
  )

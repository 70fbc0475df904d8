import type { JsonValue } from '@/lib/base/json'
import { call, user, type ExpectedCall, type Probe } from '../probe'
import { offer } from './probe-tools'

const needsResultProbe = (
  id: string,
  tools: readonly string[],
  task: string,
  [first, result]: readonly [ExpectedCall, JsonValue],
  second: ExpectedCall,
): Probe => ({
  id: `needs-result-${id}`,
  kind: 'needs-result',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [
    { expect: 'calls', calls: [first], results: [result] },
    { expect: 'calls', calls: [second] },
  ],
})

/** The second call needs the result of the first. */
export const needsResult: readonly Probe[] = [
  needsResultProbe(
    'file',
    ['list_directory', 'read_file'],
    'There is one file in /inbox. Read it.',
    [
      call('list_directory', { path: ['/inbox', '/inbox/'] }, ['path']),
      { entries: [{ name: 'k7-q2.txt', size: 120 }] },
    ],
    call('read_file', { path: ['/inbox/k7-q2.txt'] }, ['path']),
  ),
  needsResultProbe(
    'mail',
    ['find_customer', 'get_order', 'refund_order'],
    'The customer lin@example.com wants her last order back in full. Find the customer first, then look up that order.',
    [
      call('find_customer', { email: ['lin@example.com'] }, ['email']),
      { name: 'Lin Wu', last_order: 'Z-8812', country: 'SG' },
    ],
    call('get_order', { order_id: ['Z-8812'] }, ['order_id']),
  ),
  needsResultProbe(
    'money',
    ['get_stock_price', 'convert_currency'],
    'What does one share of ACME cost in Swiss francs (CHF)? First get its price, then convert it.',
    [call('get_stock_price', { symbol: ['ACME'] }, ['symbol']), { price: 41.5, currency: 'USD' }],
    call('convert_currency', { amount: [41.5], from: ['USD'], to: ['CHF'] }),
  ),
  needsResultProbe(
    'search',
    ['search_files', 'read_file', 'write_file'],
    'Find the file that mentions “blue-heron” and then read it.',
    [
      call('search_files', { query: ['blue-heron'], folder: ['/', ''] }, ['query']),
      { matches: [{ path: '/archive/2019/birds.md', line: 4 }] },
    ],
    call('read_file', { path: ['/archive/2019/birds.md'] }, ['path']),
  ),
  needsResultProbe(
    'copy',
    ['read_file', 'write_file'],
    'Copy /motd.txt to /backup/motd.txt: read it, then write the same text.',
    [call('read_file', { path: ['/motd.txt'] }, ['path']), { content: 'Welcome aboard.\nMind the gap.' }],
    call(
      'write_file',
      {
        path: ['/backup/motd.txt'],
        content: ['Welcome aboard.\nMind the gap.', 'Welcome aboard.\nMind the gap.\n'],
      },
      ['path', 'content'],
    ),
  ),
  needsResultProbe(
    'order',
    ['get_order', 'refund_order'],
    'Look up order M-5 and refund exactly what was paid for it.',
    [call('get_order', { order_id: ['M-5'] }, ['order_id']), { id: 'M-5', paid: 73.25, status: 'delivered' }],
    call('refund_order', { order_id: ['M-5'], amount: [73.25] }, ['order_id']),
  ),
  needsResultProbe(
    'translate',
    ['read_file', 'translate_text'],
    'Read /greeting.txt and translate what stands in it into French, using the tools.',
    [call('read_file', { path: ['/greeting.txt'] }, ['path']), { content: 'Good morning, dear guests' }],
    call('translate_text', { text: ['Good morning, dear guests'], to: ['fr'] }),
  ),
]

const stopsAfterProbe = (
  id: string,
  tools: readonly string[],
  task: string,
  first: ExpectedCall,
  result: JsonValue,
): Probe => ({
  id: `stops-after-${id}`,
  kind: 'stops-after',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'calls', calls: [first], results: [result] }, { expect: 'words' }],
})

/** The result contains everything: the model must answer, and make no further call. */
export const stopsAfter: readonly Probe[] = [
  stopsAfterProbe(
    'weather',
    ['get_weather', 'set_timer'],
    'Do I need a coat in Helsinki now?',
    call('get_weather', { city: ['Helsinki'], unit: ['celsius', ''] }),
    { temperature: -7, unit: 'celsius', sky: 'snow' },
  ),
  stopsAfterProbe(
    'written',
    ['write_file', 'read_file'],
    'Write “hello” (nothing else) into /hello.txt.',
    call('write_file', { path: ['/hello.txt'], content: ['hello', 'hello\n'] }, ['path', 'content']),
    { written: true, bytes: 5 },
  ),
  stopsAfterProbe(
    'count',
    ['count_words'],
    'How many words are in “to be or not to be”? Use the tool.',
    call('count_words', { text: ['to be or not to be'] }),
    { words: 6 },
  ),
  stopsAfterProbe(
    'sum',
    ['compute', 'set_timer'],
    'Compute 17 * 23 with the tool and tell me the result.',
    call('compute', { expression: ['17*23'] }),
    { value: 391 },
  ),
  stopsAfterProbe(
    'order',
    ['get_order', 'refund_order', 'send_email'],
    'Was order T-90 delivered? I only want to know that.',
    call('get_order', { order_id: ['T-90'] }, ['order_id']),
    { id: 'T-90', status: 'delivered', paid: 12, delivered_at: '2026-11-02' },
  ),
  stopsAfterProbe(
    'time',
    ['get_time', 'create_event'],
    'What time is it in Europe/Paris?',
    call('get_time', { time_zone: ['Europe/Paris'] }, ['time_zone']),
    { time: '2026-11-22T15:04:00+01:00' },
  ),
  stopsAfterProbe(
    'light',
    ['turn_light'],
    'Switch the light in the hall off.',
    call('turn_light', { room: ['hall', 'the hall'], on: [false], brightness: [0, ''] }),
    { room: 'hall', on: false },
  ),
]

const twoCallsProbe = (
  id: string,
  tools: readonly string[],
  task: string,
  ...calls: readonly ExpectedCall[]
): Probe => ({
  id: `two-calls-${id}`,
  kind: 'two-calls',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'calls', calls }],
})

const weather = (city: string) => call('get_weather', { city: [city], unit: ['celsius', ''] })

/** Two independent calls, in one reply and in any order. */
export const twoCalls: readonly Probe[] = [
  twoCallsProbe(
    'weather',
    ['get_weather'],
    'Compare the weather in Oslo and in Rome. Ask for both at once.',
    weather('Oslo'),
    weather('Rome'),
  ),
  twoCallsProbe(
    'read',
    ['read_file', 'list_directory'],
    'Read /a.txt and /b.txt; do both in one go.',
    call('read_file', { path: ['/a.txt'] }, ['path']),
    call('read_file', { path: ['/b.txt'] }, ['path']),
  ),
  twoCallsProbe(
    'mixed',
    ['set_timer', 'turn_light', 'play_music'],
    'Turn the bedroom light off and set a timer for 20 minutes, at the same time.',
    call('turn_light', { room: ['bedroom', 'the bedroom'], on: [false], brightness: [0, ''] }),
    call('set_timer', { minutes: [20], label: ['bedroom', 'timer', 'bedroom light', ''] }),
  ),
  twoCallsProbe(
    'stocks',
    ['get_stock_price', 'convert_currency'],
    'I need the prices of the shares IBM and SAP. Send both requests in one message.',
    call('get_stock_price', { symbol: ['IBM'] }, ['symbol']),
    call('get_stock_price', { symbol: ['SAP'] }, ['symbol']),
  ),
  twoCallsProbe(
    'clock',
    ['get_time', 'get_weather'],
    'What time is it in Asia/Tokyo, and what is the weather in Tokyo? Ask for both at once.',
    call('get_time', { time_zone: ['Asia/Tokyo'] }, ['time_zone']),
    weather('Tokyo'),
  ),
  twoCallsProbe(
    'files',
    ['write_file', 'delete_path', 'move_path'],
    'Delete /old.log, and write “ready” (that word alone) into /state.txt. The two have nothing to do with each other; do them together.',
    call('delete_path', { path: ['/old.log'] }, ['path']),
    call('write_file', { path: ['/state.txt'], content: ['ready', 'ready\n'] }, ['path', 'content']),
  ),
  twoCallsProbe(
    'customers',
    ['find_customer', 'get_order'],
    'Look up the customer ada@example.org and the order C-31 in one go.',
    call('find_customer', { email: ['ada@example.org'] }, ['email']),
    call('get_order', { order_id: ['C-31'] }, ['order_id']),
  ),
]

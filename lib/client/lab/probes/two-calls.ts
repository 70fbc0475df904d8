import { call, user, type ExpectedCall, type Probe } from '../probe'
import { offer } from './probe-tools'

const probe = (id: string, tools: readonly string[], task: string, ...calls: readonly ExpectedCall[]): Probe => ({
  id: `two-calls-${id}`,
  kind: 'two-calls',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'calls', calls }],
})

const weather = (city: string) => call('get_weather', { city: [city], unit: ['celsius', ''] })

/** Two calls that do not need each other, in one reply and in any order. */
export const twoCalls: readonly Probe[] = [
  probe(
    'weather',
    ['get_weather'],
    'Compare the weather in Oslo and in Rome. Ask for both at once.',
    weather('Oslo'),
    weather('Rome'),
  ),
  probe(
    'read',
    ['read_file', 'list_directory'],
    'Read /a.txt and /b.txt; do both in one go.',
    call('read_file', { path: ['/a.txt'] }, ['path']),
    call('read_file', { path: ['/b.txt'] }, ['path']),
  ),
  probe(
    'mixed',
    ['set_timer', 'turn_light', 'play_music'],
    'Turn the bedroom light off and set a timer for 20 minutes, at the same time.',
    call('turn_light', { room: ['bedroom', 'the bedroom'], on: [false], brightness: [0, ''] }),
    call('set_timer', { minutes: [20], label: ['bedroom', 'timer', 'bedroom light', ''] }),
  ),
  probe(
    'stocks',
    ['get_stock_price', 'convert_currency'],
    'I need the prices of the shares IBM and SAP. Send both requests in one message.',
    call('get_stock_price', { symbol: ['IBM'] }, ['symbol']),
    call('get_stock_price', { symbol: ['SAP'] }, ['symbol']),
  ),
  probe(
    'clock',
    ['get_time', 'get_weather'],
    'What time is it in Asia/Tokyo, and what is the weather in Tokyo? Ask for both at once.',
    call('get_time', { time_zone: ['Asia/Tokyo'] }, ['time_zone']),
    weather('Tokyo'),
  ),
  probe(
    'files',
    ['write_file', 'delete_path', 'move_path'],
    'Delete /old.log, and write “ready” (that word alone) into /state.txt. The two have nothing to do with each other; do them together.',
    call('delete_path', { path: ['/old.log'] }, ['path']),
    call('write_file', { path: ['/state.txt'], content: ['ready', 'ready\n'] }, ['path', 'content']),
  ),
  probe(
    'customers',
    ['find_customer', 'get_order'],
    'Look up the customer ada@example.org and the order C-31 in one go.',
    call('find_customer', { email: ['ada@example.org'] }, ['email']),
    call('get_order', { order_id: ['C-31'] }, ['order_id']),
  ),
]

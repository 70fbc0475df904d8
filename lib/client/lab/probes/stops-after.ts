import type { JsonValue } from '@/lib/base/json'
import { call, user, type ExpectedCall, type Probe } from '../probe'
import { offer } from './probe-tools'

const probe = (id: string, tools: readonly string[], task: string, first: ExpectedCall, result: JsonValue): Probe => ({
  id: `stops-after-${id}`,
  kind: 'stops-after',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'calls', calls: [first], results: [result] }, { expect: 'words' }],
})

/** After the result all is known: the model has to answer, and call nothing more. */
export const stopsAfter: readonly Probe[] = [
  probe(
    'weather',
    ['get_weather', 'set_timer'],
    'Do I need a coat in Helsinki now?',
    call('get_weather', { city: ['Helsinki'], unit: ['celsius', ''] }),
    { temperature: -7, unit: 'celsius', sky: 'snow' },
  ),
  probe(
    'written',
    ['write_file', 'read_file'],
    'Write “hello” (nothing else) into /hello.txt.',
    call('write_file', { path: ['/hello.txt'], content: ['hello', 'hello\n'] }, ['path', 'content']),
    { written: true, bytes: 5 },
  ),
  probe(
    'count',
    ['count_words'],
    'How many words are in “to be or not to be”? Use the tool.',
    call('count_words', { text: ['to be or not to be'] }),
    { words: 6 },
  ),
  probe(
    'sum',
    ['compute', 'set_timer'],
    'Compute 17 * 23 with the tool and tell me the result.',
    call('compute', { expression: ['17*23'] }),
    { value: 391 },
  ),
  probe(
    'order',
    ['get_order', 'refund_order', 'send_email'],
    'Was order T-90 delivered? I only want to know that.',
    call('get_order', { order_id: ['T-90'] }, ['order_id']),
    { id: 'T-90', status: 'delivered', paid: 12, delivered_at: '2026-11-02' },
  ),
  probe(
    'time',
    ['get_time', 'create_event'],
    'What time is it in Europe/Paris?',
    call('get_time', { time_zone: ['Europe/Paris'] }, ['time_zone']),
    { time: '2026-11-22T15:04:00+01:00' },
  ),
  probe(
    'light',
    ['turn_light'],
    'Switch the light in the hall off.',
    call('turn_light', { room: ['hall', 'the hall'], on: [false], brightness: [0, ''] }),
    { room: 'hall', on: false },
  ),
]

import { call, user, type ExpectedCall, type Probe } from '../probe'
import { crowd } from './probe-tools'

const OFFERED = 21

const probe = (id: string, tool: string, task: string, right: ExpectedCall): Probe => ({
  id: `distractors-${id}`,
  kind: 'distractors',
  question: [user(task)],
  functions: crowd(OFFERED, tool),
  rounds: [{ expect: 'calls', calls: [right] }],
})

/** The right tool among twenty others. */
export const distractors: readonly Probe[] = [
  probe(
    'stock',
    'get_stock_price',
    'What is a share of NVDA worth?',
    call('get_stock_price', { symbol: ['NVDA'] }, ['symbol']),
  ),
  probe(
    'customer',
    'find_customer',
    'Who is the customer with the address max@example.net?',
    call('find_customer', { email: ['max@example.net'] }, ['email']),
  ),
  probe(
    'compute',
    'compute',
    'Use your calculator: what is 1234 * 5678?',
    call('compute', { expression: ['1234*5678'] }),
  ),
  probe(
    'image',
    'resize_image',
    'Make /photos/cat.png 640 pixels wide and 480 high; its shape may change.',
    call('resize_image', { path: ['/photos/cat.png'], width: [640], height: [480], keep_ratio: [false] }, ['path']),
  ),
  probe(
    'config',
    'set_config',
    'Set the configuration value ui.theme to dark.',
    call('set_config', { key: ['ui.theme'], value: ['dark'] }, ['key']),
  ),
  probe(
    'delete',
    'delete_path',
    'The file /tmp/cache.bin can go.',
    call('delete_path', { path: ['/tmp/cache.bin'] }, ['path']),
  ),
  probe(
    'table',
    'book_table',
    'A table for four at Noma on 2027-01-09 at 19:00, please.',
    call('book_table', { restaurant: ['Noma'], people: [4], date: ['2027-01-09'], time: ['19:00'] }, ['date']),
  ),
]

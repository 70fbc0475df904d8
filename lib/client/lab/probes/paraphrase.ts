import { call, user, type ExpectedCall, type Probe } from '../probe'
import { offer } from './probe-tools'

const probe = (id: string, tools: readonly string[], task: string, right: ExpectedCall): Probe => ({
  id: `paraphrase-${id}`,
  kind: 'paraphrase',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'calls', calls: [right] }],
})

const weather = ['get_weather', 'set_timer', 'find_route'] as const

/** A plain task in words that are far from those of the tool. */
export const paraphrase: readonly Probe[] = [
  probe(
    'umbrella',
    weather,
    'I am about to leave the house in Dublin. Umbrella or sunglasses?',
    call('get_weather', { city: ['Dublin'], unit: ['celsius', ''] }),
  ),
  probe(
    'pasta',
    weather,
    'the spaghetti went in just now and wants nine minutes, give me a shout then',
    call('set_timer', {
      minutes: [9],
      label: ['spaghetti', 'pasta', 'the spaghetti', 'spaghetti is ready', 'spaghetti ready', 'spaghetti timer', ''],
    }),
  ),
  probe(
    'cycling',
    weather,
    'On two wheels from Utrecht to Amsterdam, without an engine: which way?',
    call('find_route', { from: ['Utrecht'], to: ['Amsterdam'], by: ['bike'] }),
  ),
  probe(
    'german',
    ['get_weather', 'get_time'],
    'Wie ist gerade das Wetter in Hamburg?',
    call('get_weather', { city: ['Hamburg'], unit: ['celsius', ''] }),
  ),
  probe(
    'typos',
    ['read_file', 'list_directory'],
    'pls opne teh file /etc/motd an show it',
    call('read_file', { path: ['/etc/motd'] }, ['path']),
  ),
  probe(
    'dark',
    ['turn_light', 'play_music'],
    'It is far too bright in the study, make it pitch-dark in there.',
    call('turn_light', { room: ['study', 'the study'], on: [false], brightness: [0, ''] }),
  ),
  probe(
    'dollars',
    ['convert_currency', 'get_stock_price'],
    'My aunt in Texas gave me three hundred bucks. What is that back home in London?',
    call('convert_currency', { amount: [300], from: ['USD'], to: ['GBP'] }),
  ),
]

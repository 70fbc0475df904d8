import { user, type Probe } from '../probe'
import { offer } from './probe-tools'

const probe = (id: string, tools: readonly string[], task: string): Probe => ({
  id: `none-fits-${id}`,
  kind: 'none-fits',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'words' }],
})

/** No tool is for this: words are right. */
export const noneFits: readonly Probe[] = [
  probe('capital', ['get_weather', 'set_timer'], 'What is the capital of France? One word is enough.'),
  probe('poem', ['convert_currency', 'get_stock_price'], 'Write two lines of verse about the sea.'),
  probe('thanks', ['read_file', 'write_file', 'delete_path'], 'Thank you, that was all for today!'),
  probe('opinion', ['book_table', 'find_route'], 'Which do you find harder to learn, chess or go? One sentence.'),
  probe('translate', ['set_timer', 'turn_light'], 'What does the Latin word “aqua” mean in English?'),
  probe(
    'about-tool',
    ['send_email', 'create_event'],
    'Could you send mails for me, in general? Only say yes or no for now.',
  ),
  probe('no-weather', ['count_words', 'lookup_word'], 'Will it rain in Madrid tomorrow?'),
  probe('explain', ['run_query'], 'Explain in one sentence what a primary key of a table is.'),
]

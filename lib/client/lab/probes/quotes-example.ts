import { user, type Probe } from '../probe'
import { offer } from './probe-tools'

const probe = (id: string, tools: readonly string[], task: string): Probe => ({
  id: `quotes-example-${id}`,
  kind: 'quotes-example',
  question: [user(task)],
  functions: offer(...tools),
  rounds: [{ expect: 'words' }],
})

/** The person wants to see a call, not to have one: nothing may be read as a call. */
export const quotesExample: readonly Probe[] = [
  probe(
    'documentation',
    ['get_weather'],
    'I write documentation. Describe in words which tool you would use to look up the weather in Paris and with which arguments. Do not call it.',
  ),
  probe('names', ['read_file', 'write_file', 'delete_path'], 'Which tools do you have? Only name them; call none.'),
  probe(
    'explain',
    ['delete_path', 'list_directory'],
    'Explain what would happen if you deleted /tmp. Do not delete anything, do not call any tool.',
  ),
  probe(
    'parameters',
    ['send_email'],
    'Which parameters does your tool for mails take? Answer with a list of words. Nothing is to be sent.',
  ),
  probe(
    'past',
    ['set_timer', 'get_time'],
    'Yesterday an assistant told me: “I call set_timer with minutes = 5.” Is 5 minutes enough for soft eggs? Answer without any tool.',
  ),
  probe(
    'inline',
    ['convert_currency'],
    'Show me, in the middle of a sentence and in inline code, how the name of your currency tool is spelled. Call nothing.',
  ),
  probe(
    'plan',
    ['search_files', 'read_file', 'write_file'],
    'Make a plan in three short steps for renaming a word in all my files. Only the plan for now, I have to agree first.',
  ),
]

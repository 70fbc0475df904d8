import { ask, text } from '../scene'
import type { Scene } from '../scene'
import { lastRound, describeResults } from '../turn'
import type { Turn } from '../turn'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'

/** A scene of one round: calls, then a sentence about their results. */
const once = (turn: Turn, words: string, calls: readonly CallToWrite[]) =>
  turn.rounds.length === 0 ? ask(turn, words, calls) : text(describeResults(lastRound(turn), turn.language))

/** Short commands, each of which uses tools in one way. */
export const commandScenes: readonly Scene[] = [
  {
    usage: 'list files [PATH]',
    summary: 'lists a folder, `/` if you name none',
    matches:
      /^(?:please )?(?:list|ls|show)(?: (?:the|all|my))?(?: files| folder)?(?: (?:in|of|at))?(?: (\/\S*))?[.!?]?$/i,
    play: (turn, [, path = '/']) =>
      once(turn, `I am a script; here is the call for \`${path}\`:`, [{ name: 'list_directory', arguments: { path } }]),
  },
  {
    usage: 'read PATH',
    summary: 'reads a file',
    matches: /^(?:please )?(?:read|open|cat)(?: the file)? (\/?\S+?)[.!?]?$/i,
    play: (turn, [, path = '']) =>
      once(turn, `A script can ask for a file too. This is \`${absolute(path)}\`:`, [
        { name: 'read_file', arguments: { path: absolute(path) } },
      ]),
  },
  {
    usage: 'write PATH: TEXT',
    summary: 'writes your text into a file',
    matches: /^(?:please )?write (\/?[^\s:]+)(?::[ \t]*|[ \t]*\n)([\s\S]+)$/i,
    play: (turn, [, path = '', content = '']) =>
      once(turn, `Your words, unchanged, go to \`${absolute(path)}\`. I am a script and add nothing:`, [
        { name: 'write_file', arguments: { path: absolute(path), content } },
      ]),
  },
  {
    usage: 'edit PATH: OLD => NEW',
    summary: 'changes a passage of a file that occurs once',
    matches: /^(?:please )?edit(?: the file)? (\/?[^\s:]+):\s*([\s\S]+?)\s*=>[ \t]*([\s\S]*)$/i,
    play: (turn, [, path = '', search = '', replace = '']) =>
      once(turn, `A script edits by the letter. In \`${absolute(path)}\` this passage changes:`, [
        { name: 'edit_file', arguments: { path: absolute(path), edits: [{ search, replace }] } },
      ]),
  },
  {
    usage: 'move PATH to TARGET',
    summary: 'moves or renames a file or a folder',
    matches: /^(?:please )?(?:move|rename)(?: the (?:file|folder))? (\/?\S+) to (\/?\S+?)[.!?]?$/i,
    play: (turn, [, from = '', to = '']) =>
      once(turn, `I am a script; this moves \`${absolute(from)}\`, if nothing stands at \`${absolute(to)}\`:`, [
        { name: 'move_path', arguments: { from: absolute(from), to: absolute(to) } },
      ]),
  },
  {
    usage: 'delete PATH',
    summary: 'deletes a file, or a folder with all in it',
    matches: /^(?:please )?(?:delete|remove)(?: the (?:file|folder))? (\/\S*?)[.!?]?$/i,
    play: (turn, [, path = '']) =>
      once(turn, `A script does not ask twice, but you decide. This deletes \`${path}\`:`, [
        { name: 'delete_path', arguments: { path } },
      ]),
  },
  {
    usage: 'search for TEXT',
    summary: 'finds lines with that text in all files',
    matches: /^(?:please )?(?:search(?: (?:the|all|my) files)? for|grep) ["“'`]?(.+?)["”'`]?[.!?]?$/i,
    play: (turn, [, query = '']) =>
      once(turn, `A script reads quickly. This looks for “${query}” in all files:`, [
        { name: 'search_files', arguments: { query } },
      ]),
  },
  {
    usage: 'compute EXPRESSION',
    summary: 'runs JavaScript, e.g. `compute 6 * 7`',
    matches: /^(?:please )?(?:compute|calculate|eval|run code:?)\s+([\s\S]+)$/i,
    play: (turn, [, expression = '']) =>
      once(turn, 'A script is bad at sums, JavaScript is not:', [
        { name: 'browser_js_eval', arguments: { code: codeOf(expression) } },
      ]),
  },
  {
    usage: 'what time is it',
    summary: 'tells date and time; also `… in Asia/Tokyo`',
    matches:
      /^(?:please )?(?:tell me )?what(?:’s|'s| is)?(?: the)? (?:current )?time(?: is it| it is)?(?: in (\S.*?))?[?.!]*$/i,
    play: (turn, [, zone]) =>
      once(turn, 'A script has no clock; your device has one:', [
        { name: 'get_time', arguments: zone === undefined ? {} : { time_zone: zone } },
      ]),
  },
  {
    usage: 'remember TEXT',
    summary: 'adds a line to your memory, where the chat uses it',
    matches: /^(?:please )?remember(?: that|:)? (\S[\s\S]*)$/i,
    play: (turn, [, add = '']) =>
      once(turn, 'A script forgets everything, so this asks to write it down:', [
        { name: 'edit_memory', arguments: { add } },
      ]),
  },
  {
    usage: 'draw a chart',
    summary: 'draws a chart of five numbers',
    matches: /^(?:please )?(?:draw|show|plot)(?: me)? (?:a|the) (?:bar )?chart[.!?]?$/i,
    play: (turn) =>
      once(turn, 'A script draws what it is told to. These are five numbers as bars:', [
        { name: 'show', arguments: { title: 'Five numbers', chart: demoChart } },
      ]),
  },
  {
    usage: 'several calls',
    summary: 'three calls in one reply: write, list, compute',
    matches: /\b(?:several|three|3|some|multiple) calls\b/i,
    play: (turn) =>
      once(turn, 'Three calls in one reply, as a script would line them up. They run in this order:', [
        {
          name: 'write_file',
          arguments: { path: '/notes/three.md', content: '# Three\n\nThe first of three calls.\n' },
        },
        { name: 'list_directory', arguments: { path: '/' } },
        { name: 'browser_js_eval', arguments: { code: 'return [1, 2, 3].map((n) => n ** 2)' } },
      ]),
  },
]

const demoChart = {
  data: { values: [8, 5, 13, 3, 21].map((count, at) => ({ day: `Day ${at + 1}`, count })) },
  mark: 'bar',
  encoding: { x: { field: 'day' }, y: { field: 'count', type: 'quantitative' } },
}

const absolute = (path: string): string => (path.startsWith('/') ? path : `/${path}`)

/** A single expression is returned; longer code runs unchanged. */
const codeOf = (expression: string): string =>
  /[;\n]|\b(?:return|const|let|var|for|while|if)\b/.test(expression) ? expression : `return ${expression}`

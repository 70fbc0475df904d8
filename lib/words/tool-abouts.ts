import { storedSentencesOf } from '@/lib/base/catalogue'

/** What the built-in tools and their parameters are for, as people read it. Models read the tools' own descriptions. */
const about = storedSentencesOf({
  'about.ask_user': 'Asks the user, who answers in a form.',
  'about.browser_js_eval':
    'Runs JavaScript or TypeScript in a sandbox; gives the value of the last expression and the console.',
  'about.browser_js_eval.code': 'JavaScript or TypeScript source',
  'about.delete_path': 'Deletes a file, or a folder with all that is in it, from this chat’s files.',
  'about.delete_path.path': 'absolute path of the file or folder',
  'about.edit_file': 'Changes passages of a text file of this chat’s files.',
  'about.edit_file.path': 'absolute path of the file',
  'about.get_time': 'Tells the date, the time and the weekday, with time zone and UTC offset.',
  'about.get_time.time_zone': 'IANA name, as Europe/Berlin; left out: the user’s',
  'about.list_directory': 'Lists a folder of this chat’s files.',
  'about.list_directory.path': 'absolute path of the folder',
  'about.move_path': 'Moves or renames a file or a folder of this chat’s files.',
  'about.move_path.from': 'absolute path of the file or folder',
  'about.move_path.to': 'absolute path that it gets',
  'about.python_eval': 'Runs Python in a sandbox; gives the value of the last expression and what was printed.',
  'about.python_eval.code': 'Python source',
  'about.read_file': 'Reads a text file of this chat’s files.',
  'about.read_file.path': 'absolute path of the file',
  'about.read_file.offset': 'first line, from 1',
  'about.read_file.limit': 'number of lines',
  'about.read_file.column': 'first character of the first line, from 1',
  'about.search_files': 'Finds lines in this chat’s files.',
  'about.search_files.query': 'text or pattern within one line',
  'about.search_files.folder': 'folder to search, with all below it; left out: everything',
  'about.search_files.glob': 'names or paths of files, as *.md',
  'about.search_files.regex': 'true: query is a JavaScript regular expression',
  'about.search_files.max_results': 'left out: 50',
  'about.show': 'Shows the user a file of this chat, or a chart.',
  'about.show.path': 'absolute path of the file, as /sales.csv',
  'about.show.title': 'name of what is shown',
  'about.write_file': 'Writes a text file of this chat’s files, whole.',
  'about.write_file.path': 'absolute path of the file',
  'about.write_file.content': 'the whole text of the file',
})

/** Null: no tool of ours. */
export const toolAbout = (name: string): string | null => about(`about.${name}`, {})

/** Null: not a parameter of a tool of ours, or one whose description is no words. */
export const parameterAbout = (tool: string, name: string): string | null => about(`about.${tool}.${name}`, {})

import { sentencesOf } from '@/lib/base/catalogue'

/** What is waited for, and how far it is. */
export const waitSentence = sentencesOf({
  'wait.cancel': 'Cancel',
  'wait.log': 'Loading the log …',
  'wait.files': 'Looking at the files …',
  'wait.files-change': 'Changing the files …',
  'wait.chats-change': 'Changing the chats …',
  'wait.undelete': 'Taking it back …',
  'wait.delete-all': 'Deleting what the server has, and what this browser has …',
  'wait.test-it': 'Test',
  'wait.test': 'Asking the server which models it has …',
  'wait.zip-look': 'Looking into the zip …',
  'wait.zip-read': 'Reading the zip: {done, bytes} of {all, bytes} …',
  'wait.unpack': 'Writing {files, plural, one {# file} other {# files}} …',
  'wait.zip-make': 'Making a zip: {done, number} of {all, plural, one {# file} other {# files}}, {bytes, bytes} …',
  'wait.zip-stopped': 'Stopped. No zip was made.',
  'wait.upload-read': 'Reading {name}: {done, bytes} of {all, bytes} …',
  'wait.upload-write': 'Writing {bytes, bytes} …',
  'wait.upload-stopped': 'Stopped. Nothing was uploaded.',
  'wait.export-ask': 'Asking the server for the chat …',
  'wait.export': 'Exporting: {done, number} of {all, plural, one {# file} other {# files}} …',
  'wait.export-pack': 'Packing the zip …',
})

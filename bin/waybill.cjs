#!/usr/bin/env node
'use strict'

// Only syntax that every Node understands: an old one must get as far as the sentence below.
var fs = require('fs')
var path = require('path')

var needed = require('../package.json').engines.node.replace('>=', '')
var program = path.join(__dirname, '..', 'dist', 'cli', 'main.js')

function isOlder(found, wanted) {
  var a = found.split('.').map(Number)
  var b = wanted.split('.').map(Number)
  return a[0] !== b[0] ? a[0] < b[0] : a[1] < b[1]
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

if (isOlder(process.versions.node, needed)) {
  fail('Waybill needs Node ' + needed + ' or later; this is Node ' + process.versions.node + '.')
} else if (!fs.existsSync(program)) {
  fail('Waybill is not built: run `npm ci && npm run build`, which needs the development packages.')
} else {
  void import(require('url').pathToFileURL(program).href)
}

import { expect, test } from 'vitest'
import { codesOfPlace } from '../../src/geography/place-names.js'

test.each([
  ['INBOM', 'Mumbai · Bombay · MUMBAI, INDIA'],
  ['EGALY', 'Alexandria, EG · Alexandrie · El Iskandariya'],
  ['IDBLW', 'Belawan · Belawan, Sumatra'],
  ['INPAV', 'Pipavav'],
  ['BEANR', 'Antwerp · Anvers · ANTWERPEN, BE'],
  [
    'DEHAM',
    'Hambourg · Port of Hamburg · HAMBURG GERMANY · Hamburg DE · Hamburg - Altenwerder · Hamburg [DEHAM] · Hamburg Port, DE',
  ],
  ['SGSIN', 'Singapour'],
  ['DKCPH', 'Copenhagen · København · Copenhague'],
  ['SEGOT', 'Göteborg · GOETEBORG · Gothenburg'],
  ['USLGB', 'LONG BEACH CA · Long Beach CA USA · LONG BEACH CA UNITED STATES'],
  ['CNYTN', 'YANTIAN PT · Yantian Pt., CN'],
  ['USNYC', 'New York & New Jersey · New York/New Jersey'],
  ['COCTG', 'Cartagena CO · CARTAGENA COLOMBIA'],
  ['FRLEH', 'Le Havre Terminal de France · Le Havre France'],
  ['FRCDG', 'CDG · Paris CDG'],
  // A place of the name itself comes before others that have it beside theirs.
  ['KRUSN', 'Ulsan'],
  ['NGLOS', 'Lagos'],
])('%s is found by its names in use: %s', (code, names) => {
  for (const name of names.split(' · ')) expect(codesOfPlace(name), name).toEqual([code])
})

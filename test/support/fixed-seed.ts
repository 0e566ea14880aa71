/** Runs before each test file: hands the run's seed to fast-check. */
import fc from 'fast-check';
import { chooseSeed } from './seed.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: chooseSeed(process.env.FLEETWAVE_SEED) });

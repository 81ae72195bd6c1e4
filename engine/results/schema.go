package results

import (
	"context"
	"database/sql"
	"fmt"
)

// applicationID marks a database as docket's: "dock".
const applicationID = 0x646f636b

// migrations returns the steps of the schema: step i makes version i+1 of
// version i. A step that was released is never changed.
//
// There is no index by case: the history of a case is looked up run by run, which
// takes as long, and such an index has a page to rewrite for each case of a run.
func migrations() []string {
	return []string{`
CREATE TABLE runs (
	id          TEXT PRIMARY KEY,
	suite       TEXT NOT NULL,
	system      TEXT NOT NULL,
	mode        TEXT NOT NULL,
	services    TEXT NOT NULL,
	started     TEXT NOT NULL,
	finished    TEXT,
	whole       INTEGER NOT NULL,
	interrupted INTEGER NOT NULL,
	recorded    INTEGER NOT NULL,
	evidence    TEXT NOT NULL,
	config      BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_by_suite ON runs (suite, started);

CREATE TABLE results (
	run     TEXT NOT NULL,
	"case"  TEXT NOT NULL,
	version INTEGER NOT NULL,
	outcome TEXT NOT NULL,
	error   TEXT,
	pass    INTEGER,
	score   REAL,
	line    BLOB,
	outputs BLOB,
	PRIMARY KEY (run, "case")
) STRICT, WITHOUT ROWID;
CREATE INDEX results_by_case ON results ("case");
CREATE INDEX results_by_outputs ON results (outputs) WHERE outputs IS NOT NULL;

CREATE TABLE samples (
	run           TEXT NOT NULL,
	"case"        TEXT NOT NULL,
	sample        INTEGER NOT NULL,
	error         TEXT,
	output        BLOB,
	latency_ms    REAL,
	input_tokens  INTEGER,
	output_tokens INTEGER,
	cost_usd      REAL,
	pass          INTEGER,
	score         REAL,
	checks        BLOB,
	PRIMARY KEY (run, "case", sample)
) STRICT, WITHOUT ROWID;
`, `
ALTER TABLE runs ADD COLUMN purpose TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN remark TEXT NOT NULL DEFAULT '';
`, `
ALTER TABLE runs ADD COLUMN sources BLOB;
`, `
DROP INDEX results_by_case;
`}
}

// migrate brings the schema to the version that this docket knows, in one
// transaction: another process sees the old one or the new.
func (s *Store) migrate(ctx context.Context) error {
	steps := migrations()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after a commit
	application, version, err := identify(ctx, tx)
	if err != nil {
		return err
	}
	switch {
	case application == applicationID && version == len(steps):
		return nil
	case application == applicationID && version > len(steps):
		return fmt.Errorf("it was written by a newer docket (schema %d, this one knows %d); upgrade docket, or name another file under results in .docket.yaml", version, len(steps))
	case application != applicationID:
		var tables int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
			return err
		}
		if application != 0 || version != 0 || tables != 0 {
			return fmt.Errorf("it is a database of another program; name another file under results in .docket.yaml")
		}
	}
	for _, step := range steps[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(steps))); err != nil {
		return err
	}
	return tx.Commit()
}

func identify(ctx context.Context, tx *sql.Tx) (application, version int, err error) {
	if err := tx.QueryRowContext(ctx, "PRAGMA application_id").Scan(&application); err != nil {
		return 0, 0, err
	}
	return application, version, tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
}

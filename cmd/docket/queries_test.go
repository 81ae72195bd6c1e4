package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// TestReadmeQueries asks the store of the examples what the README asks it.
func TestReadmeQueries(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(packageDir, "..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(examples(t))
	must(t, codeChange, "run", "invoices", "--system", "invoices-candidate")
	db, err := sql.Open("sqlite", filepath.Join(".docket", "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	asked := 0
	for block := range strings.SplitSeq(string(readme), "```sql\n") {
		query, _, found := strings.Cut(block, "\n```")
		if asked++; asked == 1 || !found {
			continue // what stands before the first query
		}
		rows, err := db.Query(query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		if !rows.Next() {
			t.Errorf("%s: finds nothing in the examples (%v)", query, rows.Err())
		}
		rows.Close()
	}
	if asked < 3 {
		t.Errorf("the README has %d queries, want two", asked-1)
	}
}

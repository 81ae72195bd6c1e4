package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/engine/git/gittest"
)

// TestNothingIsFetched takes an object away from a repository whose
// configuration promises that a remote has it, by a transport that is a program
// and is allowed there by name. Nobody is asked.
func TestNothingIsFetched(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "started")
	evil := filepath.Join(t.TempDir(), "evil.sh")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\ntouch "+marker+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, remote := range map[string][2]string{
		"ext":  {"ext::" + evil, ""},
		"file": {t.TempDir(), evil},
		"ssh":  {"ssh://host.example/x", ""},
	} {
		t.Run(name, func(t *testing.T) {
			repo := gittest.New(t)
			repo.Write("a.yaml", long)
			repo.Commit("Ada", "add")
			object := repo.Git("rev-parse", "HEAD:a.yaml")
			for key, value := range map[string]string{
				"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin",
				"remote.origin.url": remote[0], "remote.origin.uploadpack": remote[1], "remote.origin.promisor": "true",
				"core.sshCommand": evil, "protocol.allow": "always", "protocol.ext.allow": "always", "protocol.file.allow": "always", "protocol.ssh.allow": "always",
			} {
				repo.Git("config", key, value)
			}
			if err := os.Remove(filepath.Join(repo.Dir, ".git/objects", object[:2], object[2:])); err != nil {
				t.Fatal(err)
			}
			r := open(t, repo.Dir)
			if _, err := r.Show(context.Background(), "HEAD", "a.yaml"); err == nil {
				t.Error("an object that is not there was shown")
			}
			r.Blame(context.Background(), "HEAD", "a.yaml", 0, 0)
			if _, err := os.Stat(marker); err == nil {
				t.Error("git started a program to fetch an object")
			}
		})
	}
}

// TestSettingsThatNameFiles says that history is told although the configuration
// names files that are not there, or would have the answer look otherwise.
func TestSettingsThatNameFiles(t *testing.T) {
	ctx := context.Background()
	repo := gittest.New(t)
	repo.Write("a.yaml", long)
	repo.Write("b.yaml", long)
	id := repo.Commit("Ada", "add")
	for key, value := range map[string]string{
		"diff.orderFile": "missing", "mailmap.file": "missing", "core.attributesFile": "missing",
		"blame.showEmail": "true", "blame.markIgnoredLines": "true", "blame.date": "relative", "blame.blankBoundary": "true", "blame.showRoot": "true", "blame.coloring": "highlightRecent",
		"diff.relative": "true", "diff.renames": "copies", "diff.submodule": "log", "log.diffMerges": "remerge", "log.follow": "true", "log.abbrevCommit": "true", "log.decorate": "full",
		"format.pretty": "fuller", "color.ui": "always", "core.quotePath": "true", "core.abbrev": "4", "log.date": "relative", "format.notes": "*",
	} {
		repo.Git("config", key, value)
	}
	mine := filepath.Join(t.TempDir(), "gitconfig")
	if err := os.WriteFile(mine, []byte("[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", mine)
	r := open(t, repo.Dir)
	blamed, err := r.Blame(ctx, "HEAD", "a.yaml", 0, 0)
	if err != nil || len(blamed) == 0 || blamed[0].Commit != id || blamed[0].Email != "ada@example.com" {
		t.Errorf("blame: %+v, %v", blamed, err)
	}
	commits, err := r.Log(ctx, "HEAD", "a.yaml", "b.yaml")
	if err != nil || len(commits) != 1 || commits[0].ID != id || len(commits[0].Changes) != 2 || commits[0].Date.IsZero() {
		t.Errorf("log: %+v, %v", commits, err)
	}
	if one, err := r.Touched(ctx, "HEAD"); err != nil || one.ID != id {
		t.Errorf("touched: %+v, %v", one, err)
	}
}

// TestARepositoryInAFolder is not one: a pull request can add the files of a bare
// repository, with a configuration of its choice.
func TestARepositoryInAFolder(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("cases/HEAD", "ref: refs/heads/main\n")
	repo.Write("cases/config", "[core]\n\trepositoryformatversion = 0\n\tworktree = "+t.TempDir()+"\n[user]\n\tname = Mallory\n")
	repo.Write("cases/objects/x", "")
	repo.Write("cases/refs/x", "")
	repo.Commit("Ada", "add")
	if r, err := Open(context.Background(), filepath.Join(repo.Dir, "cases")); !errors.Is(err, ErrNone) {
		t.Errorf("a folder that looks like a repository is one: %v, %v", r, err)
	}
	if name, err := Ask(context.Background(), filepath.Join(repo.Dir, "cases"), "config", "user.name"); err == nil && strings.Contains(string(name), "Mallory") {
		t.Error("the configuration of a folder is read")
	}
}

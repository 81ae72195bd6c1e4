package conflict

import (
	"fmt"
	"strings"
	"testing"
)

// FuzzParseListing: a listing that is taken says the same when it is written
// out again, and nothing in it becomes an argument of git but names of objects.
func FuzzParseListing(f *testing.F) {
	object := strings.Repeat("0f", 20)
	f.Add("100644 " + object + " 1\ta b\x00100644 " + object + " 2\ta b\x00")
	f.Add("100644 " + object + " 3\t\x00")
	f.Add("100644 --upload-pack=x 2\tp\x00")
	f.Add("160000 " + object + " 4\tp")
	f.Fuzz(func(t *testing.T, out string) {
		files, err := parseListing("dir", out)
		if err != nil {
			return
		}
		var b strings.Builder
		for i, file := range files {
			if file.Path == "" || i > 0 && files[i-1].Path == file.Path || len(file.objects) == 0 {
				t.Fatalf("file %d is %+v", i, file)
			}
			for version := Base; version <= Theirs; version++ {
				if file.Has(version) {
					if !isObject(file.objects[version]) {
						t.Fatalf("%q is no object", file.objects[version])
					}
					fmt.Fprintf(&b, "100644 %s %d\t%s\x00", file.objects[version], version, file.Path)
				}
			}
		}
		again, err := parseListing("dir", b.String())
		if err != nil || fmt.Sprint(again) != fmt.Sprint(files) {
			t.Fatalf("%v is read back as %v, %v", files, again, err)
		}
	})
}

// FuzzMarkerNames: names are single lines of the file, and come from it.
func FuzzMarkerNames(f *testing.F) {
	f.Add([]byte("<<<<<<< HEAD\r\na\n=======\nb\n>>>>>>> feature\n"))
	f.Add([]byte("<<<<<<< \n>>>>>>>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		ours, theirs := MarkerNames(data)
		for mark, name := range map[string]string{"<<<<<<< ": ours, ">>>>>>> ": theirs} {
			if strings.ContainsAny(name, "\n") || name != "" && !strings.Contains(string(data), mark+name) {
				t.Fatalf("%q is no name in the file", name)
			}
		}
	})
}
